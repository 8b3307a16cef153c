import {
  connectionLost,
  jsonText,
  notConnected,
  proxyPage,
  refusal,
  systemFault,
} from "@social-connect/sdk-core/testing/replies";
import type { Repeating } from "../_generated/operations.ts";
import type { Reply } from "./fakeApi.ts";

/** When a failed request is retried: after a jittered delay, after the requested time plus that delay, or never. */
export type Again = "pause" | "named" | "never";

/** A kind of failure, its reply, and the retry by the effect of a repeated request. */
export interface Failure {
  readonly name: string;
  readonly reply: () => Reply;
  readonly follows: { readonly [Kind in Repeating]: Again };
}

/** The requested delay in the replies of this table. */
export const NAMED_SECONDS = 2;

/** The service does not respond, so the request times out. */
export const NO_ANSWER = new Promise<Response>(() => undefined);

const ALL = (again: Again) => ({ read: again, same: again, another: again });
/** Not if a retry could have a second effect. */
const HARMLESS = (again: Again) => ({ read: again, same: again, another: "never" }) as const;

const seconds = { "retry-after": String(NAMED_SECONDS) };
const date = { date: "Sun, 01 Mar 2026 12:00:00 GMT", "retry-after": "Sun, 01 Mar 2026 12:00:02 GMT" };
const refused = (code: string): Failure => ({
  name: `\`${code}\``,
  reply: () => refusal(code),
  follows: ALL("never"),
});

/** All failures of a request. The guide shows this table, and the client is tested with it. */
export const FAILURES: readonly Failure[] = [
  { name: "not sent: connection refused", reply: notConnected, follows: ALL("pause") },
  { name: "not sent: host name not found", reply: () => systemFault("ENOTFOUND"), follows: ALL("pause") },
  {
    name: "not sent: connect timeout",
    reply: () => systemFault("UND_ERR_CONNECT_TIMEOUT"),
    follows: ALL("pause"),
  },
  {
    name: "not sent: untrusted certificate",
    reply: () => systemFault("CERT_HAS_EXPIRED"),
    follows: ALL("never"),
  },
  { name: "connection lost after the request may have been sent", reply: connectionLost, follows: HARMLESS("pause") },
  { name: "response timeout", reply: () => NO_ANSWER, follows: HARMLESS("pause") },
  { name: "HTTP 429", reply: () => proxyPage(429), follows: HARMLESS("pause") },
  { name: "HTTP 429, `Retry-After` in seconds", reply: () => proxyPage(429, seconds), follows: HARMLESS("named") },
  { name: "HTTP 429, `Retry-After` as a date", reply: () => proxyPage(429, date), follows: HARMLESS("named") },
  { name: "HTTP 500, 502, 503, 504", reply: () => proxyPage(502), follows: HARMLESS("pause") },
  { name: "HTTP 503, `Retry-After` in seconds", reply: () => proxyPage(503, seconds), follows: HARMLESS("named") },
  { name: "HTTP 408", reply: () => proxyPage(408), follows: HARMLESS("pause") },
  { name: "HTTP 501", reply: () => proxyPage(501), follows: ALL("never") },
  { name: "`RATE_LIMITED`", reply: () => refusal("RATE_LIMITED"), follows: HARMLESS("pause") },
  {
    name: "`RATE_LIMITED`, `retryAfterSeconds`",
    reply: () => refusal("RATE_LIMITED", { retryAfterSeconds: NAMED_SECONDS }),
    follows: HARMLESS("named"),
  },
  {
    name: "`RATE_LIMITED`, `retryAfterSeconds` beyond the deadline",
    reply: () => refusal("RATE_LIMITED", { retryAfterSeconds: 60 }),
    follows: ALL("never"),
  },
  { name: "`UPSTREAM_UNAVAILABLE`", reply: () => refusal("UPSTREAM_UNAVAILABLE"), follows: HARMLESS("pause") },
  {
    name: "`UPSTREAM_UNAVAILABLE`, `retryAfterSeconds`",
    reply: () => refusal("UPSTREAM_UNAVAILABLE", { retryAfterSeconds: NAMED_SECONDS }),
    follows: HARMLESS("named"),
  },
  {
    name: "an error without a code",
    reply: () => Response.json({ errors: [{ message: "?" }] }),
    follows: HARMLESS("pause"),
  },
  { name: "an unknown code", reply: () => refusal("OF_TOMORROW"), follows: ALL("never") },
  {
    name: "the same with HTTP 503",
    reply: () => Response.json({ errors: [{ message: "?", extensions: { code: "OF_TOMORROW" } }] }, { status: 503 }),
    follows: HARMLESS("pause"),
  },
  ...[
    "UNAUTHENTICATED",
    "FORBIDDEN",
    "BAD_USER_INPUT",
    "NOT_FOUND",
    "AUTHORIZATION_SUSPENDED",
    "RECONNECT_REQUIRED",
    "CAPABILITY_UNAVAILABLE",
    "DISCONNECT_IN_PROGRESS",
    "SYNC_WINDOW_BUSY",
  ].map(refused),
  {
    name: "a redirect",
    reply: () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } }),
    follows: ALL("never"),
  },
  { name: "HTTP 401, 403, 404, 413 of something else", reply: () => proxyPage(403), follows: ALL("never") },
  { name: "malformed: HTML with HTTP 200", reply: () => proxyPage(200), follows: ALL("never") },
  {
    name: "malformed: cut JSON",
    reply: () => jsonText('{"data":'),
    follows: ALL("never"),
  },
  { name: "malformed: JSON of another shape", reply: () => Response.json({ data: {} }), follows: ALL("never") },
];
