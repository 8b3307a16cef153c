/** What each failure of a request is, in each runtime. The reference page shows it, and `pnpm consumers sdk` proves it. */
import { FAULTS, type TransportProblem } from "../../packages/sdk-core/src/faults.ts";

export const RUNTIMES = ["Node 22", "Node 24", "Node 26", "Bun", "Deno", "workerd", "Chromium"] as const;
export type RuntimeName = (typeof RUNTIMES)[number];
export type Protocol = "http1" | "http2";

/** The code or problem of an error, or what the call rejects with instead. */
export type Outcome =
  | TransportProblem
  | "TIMED_OUT"
  | "NOT_JSON"
  | "UNEXPECTED_STATUS"
  | "WRONG_ADDRESS"
  | "UNEXPECTED_SHAPE"
  | "abort reason"
  | "error of `fetch`";

interface Situation {
  readonly name: string;
  /** A path of the failing servers, one of their places, or a custom `fetch`. */
  readonly at: { readonly path: string } | { readonly place: string } | { readonly custom: string };
  readonly outcome: Outcome;
  /** Where a runtime reports less than others, or another thing. */
  readonly differs?: Readonly<Partial<Record<RuntimeName, Outcome>>>;
  /** False for a fault that the protocol does not have. */
  readonly http2?: false;
}

/** Runtimes that report no reason. */
const SILENT = { workerd: "UNKNOWN", Chromium: "UNKNOWN" } as const;
const SILENT_WITHOUT_RESPONSE = { ...SILENT, Deno: "UNKNOWN" } as const;

export const SITUATIONS: readonly Situation[] = [
  { name: "connection refused", at: { place: "refused" }, outcome: "UNREACHABLE", differs: SILENT },
  { name: "host name not found", at: { place: "no-such-host" }, outcome: "UNREACHABLE", differs: SILENT },
  {
    name: "certificate of an unknown authority",
    at: { place: "unknown-authority" },
    outcome: "CERTIFICATE_REFUSED",
    differs: SILENT,
  },
  {
    name: "certificate of another host",
    at: { place: "wrong-name" },
    outcome: "CERTIFICATE_REFUSED",
    differs: SILENT,
  },
  { name: "expired certificate", at: { place: "expired" }, outcome: "CERTIFICATE_REFUSED", differs: SILENT },
  {
    name: "https where http is served",
    at: { place: "not-tls" },
    outcome: "TLS_FAILED",
    differs: { ...SILENT, Deno: "UNREACHABLE" },
  },
  {
    name: "http where https is served",
    at: { place: "not-plain" },
    outcome: "NO_RESPONSE",
    differs: SILENT_WITHOUT_RESPONSE,
  },
  {
    name: "reset before the response",
    at: { path: "reset" },
    outcome: "NO_RESPONSE",
    differs: SILENT_WITHOUT_RESPONSE,
  },
  {
    name: "closed before the response",
    at: { path: "closed" },
    outcome: "NO_RESPONSE",
    differs: SILENT_WITHOUT_RESPONSE,
  },
  {
    name: "cut in the headers",
    at: { path: "cut-headers" },
    outcome: "NO_RESPONSE",
    // Chromium takes the half of the headers for all of them.
    differs: { ...SILENT_WITHOUT_RESPONSE, Chromium: "NOT_JSON" },
    http2: false,
  },
  { name: "cut in the body, with content-length", at: { path: "cut-length" }, outcome: "RESPONSE_CUT" },
  { name: "cut in the body, without a length", at: { path: "cut-chunked" }, outcome: "RESPONSE_CUT" },
  {
    name: "cut in a body that the end of the connection ends",
    at: { path: "closed-body" },
    outcome: "RESPONSE_CUT",
    http2: false,
  },
  { name: "reset in the body, with content-length", at: { path: "reset-length" }, outcome: "RESPONSE_CUT" },
  { name: "reset in the body, without a length", at: { path: "reset-chunked" }, outcome: "RESPONSE_CUT" },
  { name: "broken gzip", at: { path: "gzip-broken" }, outcome: "RESPONSE_CUT" },
  { name: "gzip that ends early", at: { path: "gzip-cut" }, outcome: "RESPONSE_CUT" },
  { name: "no response within `timeoutMs`", at: { path: "hang" }, outcome: "TIMED_OUT" },
  { name: "no complete response within `timeoutMs`", at: { path: "hang-body" }, outcome: "TIMED_OUT" },
  { name: "empty 200", at: { path: "empty" }, outcome: "NOT_JSON" },
  { name: "half of a JSON text, complete by its length", at: { path: "json-half" }, outcome: "NOT_JSON" },
  { name: "HTML with 200", at: { path: "html200" }, outcome: "NOT_JSON" },
  { name: "HTML with 404", at: { path: "html404" }, outcome: "WRONG_ADDRESS" },
  { name: "HTML with 502", at: { path: "html502" }, outcome: "UNEXPECTED_STATUS" },
  { name: "a custom `fetch` reads the body", at: { custom: "reads" }, outcome: "UNEXPECTED_SHAPE" },
  { name: "a custom `fetch` locks the body", at: { custom: "locks" }, outcome: "UNEXPECTED_SHAPE" },
  { name: "a custom `fetch` returns no Response", at: { custom: "nothing" }, outcome: "UNEXPECTED_SHAPE" },
  { name: "a custom `fetch` returns a body of text", at: { custom: "text" }, outcome: "UNEXPECTED_SHAPE" },
  { name: "a custom `fetch` returns no body", at: { custom: "no-body" }, outcome: "NOT_JSON" },
  { name: "a custom `fetch` throws", at: { custom: "throws" }, outcome: "error of `fetch`" },
  { name: "a custom `fetch` throws an error with the key", at: { custom: "leaks" }, outcome: "FETCH_FAILED" },
  { name: "the caller aborts before the request", at: { custom: "abort-before" }, outcome: "abort reason" },
  { name: "the caller aborts before the response", at: { custom: "abort-waiting" }, outcome: "abort reason" },
  { name: "the caller aborts in the body", at: { custom: "abort-body" }, outcome: "abort reason" },
];

/** What follows from an outcome. `others` are operations that must not be made twice. */
interface Consequence {
  readonly error: string;
  readonly mayHaveBeenSent: boolean | undefined;
  readonly reads: "repeated" | "not repeated";
  readonly others: "repeated" | "not repeated";
}

export function consequenceOf(outcome: Outcome): Consequence {
  const repeated = (is: boolean) => (is ? "repeated" : "not repeated");
  if (Object.hasOwn(FAULTS, outcome)) {
    const { mayHaveBeenSent, isTransient } = FAULTS[outcome as TransportProblem];
    return {
      error: "TransportError",
      mayHaveBeenSent,
      reads: repeated(isTransient),
      others: repeated(isTransient && !mayHaveBeenSent),
    };
  }
  const isReadAgain = outcome === "TIMED_OUT" || outcome === "UNEXPECTED_STATUS";
  const errors: Readonly<Record<string, string>> = {
    TIMED_OUT: "TimeoutError",
    "abort reason": "your own value",
    "error of `fetch`": "your own error",
  };
  return {
    error: errors[outcome] ?? "ProtocolError",
    mayHaveBeenSent: undefined,
    reads: repeated(isReadAgain),
    others: "not repeated",
  };
}

/** The outcome in a runtime; undefined where it cannot be had. */
export function expectedOutcome(situation: Situation, runtime: RuntimeName, protocol: Protocol): Outcome | undefined {
  if (protocol === "http2" && (situation.http2 === false || "place" in situation.at || HTTP1_ONLY.includes(runtime))) {
    return undefined;
  }
  return situation.differs?.[runtime] ?? situation.outcome;
}

/** Their `fetch` does not negotiate HTTP/2. Node's does with an Agent of undici with `allowH2`. */
const HTTP1_ONLY: readonly RuntimeName[] = ["Bun", "workerd"];
