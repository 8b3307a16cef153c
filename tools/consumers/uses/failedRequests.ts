import type * as Sdk from "../../../packages/sdk/src/index.ts";

/** A failure to run into: at a URL, with the runtime's `fetch` or a custom one. */
export interface FailureCase {
  readonly name: string;
  readonly url: string;
  readonly custom?: string;
  /** Where a request succeeds before each call, so that the call reuses its connection. */
  readonly warmUrl?: string;
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
  for (const { name, ...at } of cases) {
    const run = (call: Call) => report(sdk, at, key, send, call);
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
  { url, custom, warmUrl }: Omit<FailureCase, "name">,
  key: string,
  given: Sdk.Fetch | undefined,
  call: Call,
): Promise<CallReport> {
  let requests = 0;
  const onRequest = () => {
    requests += 1;
  };
  const abort = new AbortController();
  const social = new sdk.SocialConnect({
    baseUrl: url,
    key,
    fetch: custom === undefined ? given : fetchesOf(given ?? ((to, init) => fetch(to, init)), abort, key)[custom],
    timeoutMs: custom === undefined && url.includes("/hang") ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS,
    random: () => 0,
    hooks: { onRequest },
  });
  if (custom === "abort-before") abort.abort(GONE);
  if (warmUrl !== undefined) {
    await new sdk.SocialConnect({ baseUrl: warmUrl, key, fetch: given }).readiness();
    // A runtime returns the connection to its pool in a later turn.
    await new Promise((resolve) => setTimeout(resolve));
  }
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

/** The custom `fetch` of each case that has one. */
function fetchesOf(send: Sdk.Fetch, abort: AbortController, key: string): Readonly<Record<string, Sdk.Fetch>> {
  const json = { headers: { "content-type": "application/json" } };
  const abortSoon = () => setTimeout(() => abort.abort(GONE), 50);
  return {
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
      return { status: 200, headers: new Headers(json.headers), body, arrayBuffer: async () => new ArrayBuffer(0) };
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
      abortSoon();
      return send(url, init);
    },
    "abort-body": async (url, init) => {
      const response = await send(url, init);
      abortSoon();
      return response;
    },
  };
}
