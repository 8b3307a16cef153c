import { hostNameOf, localHostProblem, type OwnHosts } from "@social-connect/domain";
import { RESPONSE_HEADERS } from "@social-connect/transport";
import { MockMisuseError } from "../util/misuse.ts";

/** A request, as every transport passes it to the mock. */
export interface Incoming {
  /** In capitals, such as `POST`. */
  readonly method: string;
  /** The absolute URL. */
  readonly url: URL;
  /** As received; names in any case. */
  readonly headers: Headers;
  /** Each Authorization header, where the transport can distinguish several from one. */
  readonly authorizations?: readonly string[];
  /** The body as text, null when it is not UTF-8. Called at most once. */
  readonly text: () => Promise<string | null>;
  /** Size of the body in bytes, where it is known before the body is read. */
  readonly bodyBytes?: number | undefined;
  /** The host names of the server that received it; without a server, those of the mock's base URLs. */
  readonly ownHosts?: OwnHosts;
  /** The base URL under which the client reached the server, if that is not fixed. The response contains URLs below it. */
  readonly baseUrl?: string;
}

/** Where a request comes from. */
export interface Peer {
  /** Whether its connection comes from this machine. */
  readonly isLoopback: boolean;
}

/** The response to a request. */
export interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** In the order in which they are sent; a name may occur more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The text of the body; null for none. */
  readonly body: string | null;
}

/** A response, or a connection that is closed without one. */
export type Outcome = Reply | "dropped";

export function reply(
  status: number,
  body: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: Object.entries(headers), body };
}

export function jsonReply(status: number, value: unknown): Reply {
  return reply(status, JSON.stringify(value), RESPONSE_HEADERS);
}

export function textReply(status: number, text: string): Reply {
  return reply(status, text, { "content-type": "text/plain; charset=utf-8" });
}

/** True when text takes more bytes as UTF-8 than the limit. */
export function isLongerThan(text: string, limitBytes: number): boolean {
  if (text.length > limitBytes) return true;
  return text.length * 3 > limitBytes && new TextEncoder().encode(text).length > limitBytes;
}

/** The value of a field in a form; null when it is missing or repeated, or when `readForm` rejects the body. */
export async function formField(request: Incoming, name: string): Promise<string | null> {
  const form = await readForm(request);
  const [value, ...others] = form?.getAll(name) ?? [];
  return value === undefined || others.length > 0 ? null : value;
}

const MAX_FORM_BYTES = 16_384;

/** The fields of a urlencoded body; null for another media type and for a body that is too large. */
export async function readForm(request: Incoming): Promise<URLSearchParams | null> {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") return null;
  const body = await request.text();
  return body === null || isLongerThan(body, MAX_FORM_BYTES) ? null : new URLSearchParams(body);
}

/** True for a program that asks for JSON instead of a page. */
export function wantsJson(request: Incoming): boolean {
  const accept = request.headers.get("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

/** Rejects a request to a name that is not the server's own, on every path: the default key of a mock is public. */
export function hostRefusal(hosts: readonly string[], own: OwnHosts): Reply | null {
  const problem = localHostProblem(hosts, own);
  const remedy = "Use a name of its machine, or allow this one with --allowed-host or allowedHosts.";
  return problem === null ? null : jsonReply(403, { error: `${problem} ${remedy}` });
}

/** Throws a MockMisuseError unless the text is a host name without a port. */
export function checkHostName(text: string): string {
  const name = hostNameOf(text);
  // Without a port, `host` and `hostname` are the same.
  if (name !== null && !/:\d+$/.test(text.replace(/^\[.*\]/, ""))) return name;
  throw new MockMisuseError(
    `${JSON.stringify(text)} is not a host name. Use the form mock.example.test, without a port.`,
  );
}
