import type * as Sdk from "../../../packages/sdk/src/index.ts";

/** A failure to run into: at a URL, with the runtime's `fetch` or a custom one. */
export interface FailureCase {
  readonly name: string;
  readonly url: string;
  readonly custom?: string;
}

/** How a read and an operation that must not be made twice ended. */
export interface FailureReport {
  readonly name: string;
  readonly read: CallReport;
  readonly other: CallReport;
}

interface CallReport {
  readonly outcome: string;
  readonly requests: number;
  readonly mayHaveBeenSent: boolean | null;
  readonly message: string;
}

const OWN = "an error of the application";
const GONE = "the visitor left";
/** Timeouts of a case without a response, and of the others, however slow the machine is. */
const SHORT_TIMEOUT_MS = 250;
const LONG_TIMEOUT_MS = 25_000;

/** `sdk` is the package as the program imports it. */
export async function failAt(
  sdk: typeof Sdk,
  cases: readonly FailureCase[],
  key: string,
  send?: Sdk.Fetch,
): Promise<readonly FailureReport[]> {
  const reports: FailureReport[] = [];
  // One after the other: requests over HTTP/2 share a connection, which some of the cases end.
  for (const { name, url, custom } of cases) {
    const run = (call: Call) => report(sdk, url, key, sendAs(custom, send, key), custom, call);
    const read = await run((social, options) => social.readiness(options));
    reports.push({ name, read, other: await run(connect) });
  }
  return reports;
}

const connect: Call = (social, options) =>
  social
    .forSubject({ tenantKey: "acme", externalSubjectId: "user-42" })
    .connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: "https://app.example.com/r" }, options);

type Call = (social: Sdk.SocialConnect, options: { readonly signal: AbortSignal }) => Promise<unknown>;

async function report(
  sdk: typeof Sdk,
  baseUrl: string,
  key: string,
  { fetch, abort }: { readonly fetch: Sdk.Fetch | undefined; readonly abort: AbortController },
  custom: string | undefined,
  call: Call,
): Promise<CallReport> {
  let requests = 0;
  const onRequest = () => {
    requests += 1;
  };
  const timeoutMs = custom === undefined && baseUrl.includes("/hang") ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS;
  const social = new sdk.SocialConnect({
    baseUrl,
    key,
    fetch,
    timeoutMs,
    random: () => 0,
    hooks: { onRequest },
  });
  if (custom === "abort-before") abort.abort(GONE);
  const error: unknown = await call(social, { signal: abort.signal }).then(
    () => "it succeeded",
    (reason: unknown) => reason,
  );
  return {
    outcome: outcomeOf(sdk, error),
    requests,
    mayHaveBeenSent: sdk.TransportError.is(error) ? error.mayHaveBeenSent : null,
    message: sdk.SocialConnectError.is(error) ? error.message : String(error),
  };
}

function outcomeOf(sdk: typeof Sdk, error: unknown): string {
  if (sdk.TransportError.is(error) || sdk.ProtocolError.is(error)) return error.problem;
  if (sdk.TimeoutError.is(error)) return error.code;
  if (error === GONE) return "abort reason";
  return Object(error).message === OWN ? "error of `fetch`" : `unexpected: ${String(error)}`;
}

/** The `fetch` of a case; undefined for the runtime's own. */
function sendAs(custom: string | undefined, given: Sdk.Fetch | undefined, key: string) {
  const abort = new AbortController();
  const send: Sdk.Fetch = given ?? ((url, init) => fetch(url, init));
  const json = { headers: { "content-type": "application/json" } };
  const fetches: Readonly<Record<string, Sdk.Fetch>> = {
    reads: async (url, init) => {
      const response = (await send(url, init)) as Response;
      await response.text();
      return response;
    },
    locks: async (url, init) => {
      const response = (await send(url, init)) as Response;
      response.body?.getReader();
      return response;
    },
    nothing: async () => undefined as never,
    text: async () => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue("{}");
          controller.close();
        },
      });
      const headers = new Headers(json.headers);
      return { status: 200, headers, body, arrayBuffer: async () => new ArrayBuffer(0) };
    },
    "no-body": async () => new Response(null, json),
    throws: async () => {
      throw new Error(OWN);
    },
    leaks: async () => {
      throw new Error(`the request had ${key}`);
    },
    "abort-before": send,
    "abort-waiting": (url, init) => {
      setTimeout(() => abort.abort(GONE), 50);
      return send(url, init);
    },
    "abort-body": async (url, init) => {
      const response = await send(url, init);
      setTimeout(() => abort.abort(GONE), 50);
      return response;
    },
  };
  return { fetch: custom === undefined ? given : fetches[custom], abort };
}
