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

/** A promise, because the fake service answers with a clone. */
const consumed = async () => {
  const response = jsonText("{}");
  await response.text();
  return response;
};

const named = { retryAfterSeconds: NAMED_SECONDS };
const seconds = { "retry-after": String(NAMED_SECONDS) };
const date = { date: "Sun, 01 Mar 2026 12:00:00 GMT", "retry-after": "Sun, 01 Mar 2026 12:00:02 GMT" };
type Row = readonly [name: string, follows: Failure["follows"], reply: () => Reply];

const REFUSALS = [
  ...["UNAUTHENTICATED", "FORBIDDEN", "BAD_USER_INPUT", "NOT_FOUND", "AUTHORIZATION_SUSPENDED"],
  ...["RECONNECT_REQUIRED", "CAPABILITY_UNAVAILABLE", "DISCONNECT_IN_PROGRESS", "SYNC_WINDOW_BUSY"],
];

const ROWS: readonly Row[] = [
  ["not sent: connection refused", ALL("pause"), notConnected],
  ["not sent: host name not found", ALL("pause"), () => systemFault("ENOTFOUND")],
  ["not sent: connect timeout", ALL("pause"), () => systemFault("UND_ERR_CONNECT_TIMEOUT")],
  ["not sent: untrusted certificate", ALL("never"), () => systemFault("CERT_HAS_EXPIRED")],
  ["connection lost after the request may have been sent", HARMLESS("pause"), connectionLost],
  ["the response ended early or is damaged", HARMLESS("pause"), () => jsonText('{"data":')],
  ["a custom `fetch` that read or locked the body", ALL("never"), consumed],
  ["response timeout", HARMLESS("pause"), () => NO_ANSWER],
  ["HTTP 429", HARMLESS("pause"), () => proxyPage(429)],
  ["HTTP 429, `Retry-After` in seconds", HARMLESS("named"), () => proxyPage(429, seconds)],
  ["HTTP 429, `Retry-After` as a date", HARMLESS("named"), () => proxyPage(429, date)],
  ["HTTP 500, 502, 503, 504", HARMLESS("pause"), () => proxyPage(502)],
  ["HTTP 503, `Retry-After` in seconds", HARMLESS("named"), () => proxyPage(503, seconds)],
  ["HTTP 408", HARMLESS("pause"), () => proxyPage(408)],
  ["HTTP 501", ALL("never"), () => proxyPage(501)],
  ["HTTP 526: a proxy does not trust the certificate of the service", ALL("never"), () => proxyPage(526)],
  ["`RATE_LIMITED`", HARMLESS("pause"), () => refusal("RATE_LIMITED")],
  ["`RATE_LIMITED`, `retryAfterSeconds`", HARMLESS("named"), () => refusal("RATE_LIMITED", named)],
  [
    "`RATE_LIMITED`, `retryAfterSeconds` beyond the deadline",
    ALL("never"),
    () => refusal("RATE_LIMITED", { retryAfterSeconds: 60 }),
  ],
  ["`UPSTREAM_UNAVAILABLE`", HARMLESS("pause"), () => refusal("UPSTREAM_UNAVAILABLE")],
  ["`UPSTREAM_UNAVAILABLE`, `retryAfterSeconds`", HARMLESS("named"), () => refusal("UPSTREAM_UNAVAILABLE", named)],
  ["an error without a code", HARMLESS("pause"), () => Response.json({ errors: [{ message: "?" }] })],
  ["an unknown code", ALL("never"), () => refusal("OF_TOMORROW")],
  [
    "the same with HTTP 503",
    HARMLESS("pause"),
    () => Response.json({ errors: [{ message: "?", extensions: { code: "OF_TOMORROW" } }] }, { status: 503 }),
  ],
  ...REFUSALS.map((code): Row => [`\`${code}\``, ALL("never"), () => refusal(code)]),
  ["a redirect", ALL("never"), () => proxyPage(302, { location: "https://elsewhere.example" })],
  ["HTTP 401, 403, 404, 405, 413 of something else", ALL("never"), () => proxyPage(403)],
  ["malformed: HTML with HTTP 200", ALL("never"), () => proxyPage(200)],
  ["malformed: not JSON, and complete", ALL("never"), () => jsonText("true")],
  ["malformed: JSON of another shape", ALL("never"), () => Response.json({ data: {} })],
];

/** All failures of a request. The guide shows this table, and the client is tested with it. */
export const FAILURES: readonly Failure[] = ROWS.map(([name, follows, reply]) => ({ name, follows, reply }));
