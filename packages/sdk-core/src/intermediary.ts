import { type Carried, cleanName } from "./serverText.ts";
import type { FetchResponse } from "./transport.ts";

/** The names of programs in the headers `Server` and `Via` (RFC 9110, sections 10.2.4 and 7.6.3). */
const PRODUCT = /^[A-Za-z0-9][\w.:/ ()+-]{0,59}$/;

/** The program that sent a response, as the response names it; undefined if the name repeats a part of the request. */
export function senderOf({ headers }: FetchResponse, carried: () => Carried): string | undefined {
  const name = headers.get("server") ?? headers.get("via");
  return name === null ? undefined : cleanName(name.trim(), PRODUCT, carried());
}

export const NOT_OURS = "This is not a Social Connect service";

/** What a response of something else than the service means, by its status. */
export function meaningOf(status: number, addressOption: string): string {
  const known = MEANINGS[status];
  if (known !== undefined) return known;
  if (status >= 500) return "A proxy, or another server in front of the service, answered instead of it";
  return `${NOT_OURS}: check ${addressOption}, a proxy, a firewall, or the sign-in page of a network`;
}

const FAILED = "A proxy or load balancer could not get a response from the service";
const MEANINGS: Readonly<Record<number, string>> = {
  407: "A proxy requires credentials: add them to its URL, for example in HTTPS_PROXY",
  413: "The request is larger than a proxy in front of the service accepts",
  429: "A proxy in front of the service limits the rate of requests",
  502: FAILED,
  503: FAILED,
  504: FAILED,
  526: "A proxy in front of the service does not trust its certificate",
  511: "The network requires a sign-in before it forwards requests",
};
