/** Requests of a browser that follows no redirect. */
import { ORIGIN } from "../../modules/testing/builders.ts";

export function visit(url: string | URL, cookie = "", headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { redirect: "manual", headers: { cookie, ...headers } });
}

export function postForm(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin: ORIGIN },
): Promise<Response> {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(fields);
  return fetch(url, { method: "POST", redirect: "manual", headers: { ...type, ...headers }, body });
}

/** The cookies of a response as the next request sends them. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

export function locationOf(response: Response): string {
  return response.headers.get("location") ?? "";
}

export function stateOf(response: Response): string {
  return new URL(locationOf(response)).searchParams.get("state") ?? "";
}
