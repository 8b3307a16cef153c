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

/** A path of the failing servers, one of their places, or a custom `fetch`. */
type At = { readonly path: string } | { readonly place: string } | { readonly custom: string };
/** Where a runtime reports less than others, or another thing. */
type Differences = Readonly<Partial<Record<Exclude<RuntimeName, `Node ${string}`>, Outcome>>>;
interface Situation {
  readonly name: string;
  readonly at: At;
  readonly outcome: Outcome;
  readonly differs: Differences;
}

/** Runtimes that report no reason. */
const SILENT = { workerd: "UNKNOWN", Chromium: "UNKNOWN" } as const;
const SILENT_BEFORE = { ...SILENT, Deno: "UNKNOWN" } as const;
/** Faults that HTTP/2 does not have. */
const HTTP1_PATHS: readonly string[] = ["cut-headers", "closed-body"];

const ROWS: readonly (readonly [name: string, at: At, outcome: Outcome, differs?: Differences])[] = [
  ["connection refused", { place: "refused" }, "UNREACHABLE", SILENT],
  ["host name not found", { place: "no-such-host" }, "UNREACHABLE", SILENT],
  ["certificate of an unknown authority", { place: "unknown-authority" }, "CERTIFICATE_REFUSED", SILENT],
  ["certificate of another host", { place: "wrong-name" }, "CERTIFICATE_REFUSED", SILENT],
  ["expired certificate", { place: "expired" }, "CERTIFICATE_REFUSED", SILENT],
  ["https where http is served", { place: "not-tls" }, "TLS_FAILED", { ...SILENT, Deno: "UNREACHABLE" }],
  ["http where https is served", { place: "not-plain" }, "NO_RESPONSE", SILENT_BEFORE],
  ["reset before the response", { path: "reset" }, "NO_RESPONSE", SILENT_BEFORE],
  ["closed before the response", { path: "closed" }, "NO_RESPONSE", SILENT_BEFORE],
  // Chromium takes the half of the headers for all of them.
  ["cut in the headers", { path: "cut-headers" }, "NO_RESPONSE", { ...SILENT_BEFORE, Chromium: "NOT_JSON" }],
  ["cut in the body, with content-length", { path: "cut-length" }, "RESPONSE_CUT"],
  ["cut in the body, without a length", { path: "cut-chunked" }, "RESPONSE_CUT"],
  ["cut in a body that the end of the connection ends", { path: "closed-body" }, "RESPONSE_CUT"],
  ["reset in the body, with content-length", { path: "reset-length" }, "RESPONSE_CUT"],
  ["reset in the body, without a length", { path: "reset-chunked" }, "RESPONSE_CUT"],
  ["broken gzip", { path: "gzip-broken" }, "RESPONSE_CUT"],
  ["gzip that ends early", { path: "gzip-cut" }, "RESPONSE_CUT"],
  ["no response within `timeoutMs`", { path: "hang" }, "TIMED_OUT"],
  ["no complete response within `timeoutMs`", { path: "hang-body" }, "TIMED_OUT"],
  ["empty 200", { path: "empty" }, "NOT_JSON"],
  ["half of a JSON text, complete by its length", { path: "json-half" }, "NOT_JSON"],
  ["HTML with 200", { path: "html200" }, "NOT_JSON"],
  ["HTML with 404", { path: "html404" }, "WRONG_ADDRESS"],
  ["HTML with 502", { path: "html502" }, "UNEXPECTED_STATUS"],
  ["a custom `fetch` reads the body", { custom: "reads" }, "UNEXPECTED_SHAPE"],
  ["a custom `fetch` locks the body", { custom: "locks" }, "UNEXPECTED_SHAPE"],
  ["a custom `fetch` returns no Response", { custom: "nothing" }, "UNEXPECTED_SHAPE"],
  ["a custom `fetch` returns a body of text", { custom: "text" }, "UNEXPECTED_SHAPE"],
  ["a custom `fetch` returns no body", { custom: "no-body" }, "NOT_JSON"],
  ["a custom `fetch` throws", { custom: "throws" }, "error of `fetch`"],
  ["a custom `fetch` throws an error with the key", { custom: "leaks" }, "FETCH_FAILED"],
  ["the caller aborts before the request", { custom: "abort-before" }, "abort reason"],
  ["the caller aborts before the response", { custom: "abort-waiting" }, "abort reason"],
  ["the caller aborts in the body", { custom: "abort-body" }, "abort reason"],
];
export const SITUATIONS = ROWS.map(([name, at, outcome, differs = {}]): Situation => ({ name, at, outcome, differs }));

/** What follows from an outcome. `others` are operations that must not be made twice. */
export function consequenceOf(outcome: Outcome) {
  const repeated = (is: boolean) => (is ? "repeated" : "not repeated");
  if (Object.hasOwn(FAULTS, outcome)) {
    const { mayHaveBeenSent, isTransient } = FAULTS[outcome as TransportProblem];
    return { mayHaveBeenSent, reads: repeated(isTransient), others: repeated(isTransient && !mayHaveBeenSent) };
  }
  const isReadAgain = outcome === "TIMED_OUT" || outcome === "UNEXPECTED_STATUS";
  return { mayHaveBeenSent: undefined, reads: repeated(isReadAgain), others: repeated(false) };
}

/** The outcome in a runtime; undefined where it cannot be had. */
export function expectedOutcome(
  { at, outcome, differs }: Situation,
  runtime: RuntimeName,
  protocol: Protocol,
): Outcome | undefined {
  const isHttp1 = "place" in at || ("path" in at && HTTP1_PATHS.includes(at.path)) || HTTP1_ONLY.includes(runtime);
  return protocol === "http2" && isHttp1 ? undefined : (differs[runtime as keyof Differences] ?? outcome);
}

/** Their `fetch` does not negotiate HTTP/2. Node's does with an Agent of undici with `allowH2`. */
const HTTP1_ONLY: readonly RuntimeName[] = ["Bun", "workerd"];
