import { describe, expect, it } from "vitest";
import { FAULTS } from "./faults.ts";
import { bodyFaultOf, networkFaultOf } from "./networkFault.ts";

const ENDPOINT = "https://sandbox.example.com/graphql";
const NOTHING = { secrets: [], values: [] };
const faultIn = (error: unknown, carried = NOTHING) => {
  const fault = networkFaultOf(error, ENDPOINT, () => carried);
  return fault && { ...fault, ...FAULTS[fault.problem] };
};
/** As Node and Deno wrap the error of a socket. */
const fault = (cause: object) => faultIn(new TypeError("fetch failed", { cause }));
const named = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

describe("a failed fetch", () => {
  it.each([
    { code: "ECONNREFUSED" },
    { code: "ConnectionRefused" },
    { code: "ENOTFOUND" },
    { code: "EAI_AGAIN" },
    { code: "UND_ERR_CONNECT_TIMEOUT" },
    { code: "CERT_HAS_EXPIRED" },
    { code: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    { code: "ETIMEDOUT", syscall: "connect" },
    { code: "EHOSTUNREACH", syscall: "connect" },
  ])("was not sent for $code ($syscall)", (cause) => {
    expect(fault(cause)).toMatchObject({ systemCode: cause.code, mayHaveBeenSent: false });
  });

  it("was not sent if Deno reports a failed connection", () => {
    const message = `error sending request for url (${ENDPOINT}): client error (Connect): dns error`;
    const expected = { problem: "UNREACHABLE", systemCode: undefined, mayHaveBeenSent: false };
    expect(fault(new Error(message))).toMatchObject(expected);
    expect(faultIn(new TypeError(message))).toMatchObject(expected);
  });

  it("may have been sent if a text of Deno is not a TypeError's, or names another URL", () => {
    const ofDeno = (url: string) => `error sending request for url (${url}): client error (Connect): dns error`;
    expect(fault(new Error(ofDeno("https://a.example/graphql")))).toMatchObject({ mayHaveBeenSent: true });
    const error = Object.assign(new Error(ofDeno(ENDPOINT)), { code: "ECONNRESET" });
    expect(faultIn(error)).toMatchObject({ problem: "NO_RESPONSE", mayHaveBeenSent: true });
  });

  it.each(["UnknownIssuer", "Expired", 'certificate not valid for name "127.0.0.1"'])(
    "was not sent, and is not repeated, if Deno refuses the certificate: %s",
    (reason) => {
      const text = `error sending request for url (${ENDPOINT}): client error (Connect): invalid peer certificate: ${reason}`;
      const expected = { problem: "CERTIFICATE_REFUSED", mayHaveBeenSent: false, isTransient: false };
      expect(fault(new Error(text))).toMatchObject(expected);
    },
  );

  it.each([
    { code: "ECONNRESET" },
    { code: "ETIMEDOUT", syscall: "read" },
    { code: "UND_ERR_SOCKET" },
    { code: "EPROTO" },
  ])("may have been sent for $code", (cause) => {
    expect(fault(cause)).toMatchObject({ systemCode: cause.code, mayHaveBeenSent: true });
  });

  it.each([
    ["without details", {}],
    ["whose code is not a name", { code: "a secret text" }],
    ["whose code is a number", { code: 7 }],
    ["whose message mentions a failed connection", new Error("client error (Connect)")],
    [
      "whose properties throw",
      {
        get code() {
          throw new Error("no");
        },
      },
    ],
  ])("%s may have been sent", (_, cause) => {
    expect(fault(cause)).toMatchObject({ systemCode: undefined, mayHaveBeenSent: true });
  });

  it("omits a system code that equals a value of the request, but still classifies the fault", () => {
    const cause = Object.assign(new Error("x"), { code: "ECONNREFUSED" });
    const error = new TypeError("fetch failed", { cause });
    expect(faultIn(error, { secrets: [], values: ["econnrefused"] as never[] })).toMatchObject({
      systemCode: undefined,
      mayHaveBeenSent: false,
    });
  });

  it("stops at a cause that is its own cause", () => {
    const error = new TypeError("fetch failed");
    error.cause = error;
    expect(faultIn(error)).toMatchObject({ systemCode: undefined });
  });
});

/** As printed by each runtime and library. */
const NETWORK_ERRORS: readonly (readonly [string, unknown])[] = [
  [
    "Node: a socket that was closed",
    new TypeError("fetch failed", { cause: named("SocketError", "other side closed") }),
  ],
  ["Node: a body that was cut", new TypeError("terminated")],
  ["Node: another protocol", new TypeError("fetch failed", { cause: named("HTTPParserError", "Expected HTTP/") })],
  ["Node: several addresses", Object.assign(new AggregateError([named("Error", "x", { code: "ECONNREFUSED" })], ""))],
  ["undici: headers that did not arrive", named("HeadersTimeoutError", "x", { code: "UND_ERR_HEADERS_TIMEOUT" })],
  ["Bun", named("TypeError", "Unable to connect.", { code: "ECONNREFUSED", path: ENDPOINT })],
  ["Bun, with its own code", named("Error", "x", { code: "InvalidHTTPResponse", path: ENDPOINT })],
  ["Deno", new TypeError("error sending request for url (https://a.example/): connection closed")],
  ["Deno: a body that was cut", new TypeError("error reading a body from connection")],
  ["Workers", new Error("Network connection lost.")],
  ["Workers: an unknown host", new Error("internal error; reference = vcjei7t8qt645nohm2g7o4ba")],
  ["Chromium", new TypeError("Failed to fetch")],
  ["node-fetch", named("FetchError", "request to https://a.example failed", { type: "system", code: "ECONNRESET" })],
  ["node-fetch: a timeout", named("FetchError", "network timeout", { type: "request-timeout" })],
  ["node-fetch: a body that was cut", named("Error", "Premature close", { code: "ERR_STREAM_PREMATURE_CLOSE" })],
  ["axios", named("AxiosError", "Network Error", { code: "ERR_NETWORK" })],
  ["axios: a timeout", named("AxiosError", "timeout of 10 ms exceeded", { code: "ECONNABORTED" })],
  ["ofetch", named("FetchError", "[POST]: <no response> fetch failed", { cause: new TypeError("fetch failed") })],
  ["got", named("RequestError", "x", { code: "ENOTFOUND" })],
  ["another realm", Object.assign(Object.create(null), { name: "TypeError", message: "fetch failed" })],
];

const OTHER_ERRORS: readonly (readonly [string, unknown])[] = [
  ["Next.js: dynamic rendering", named("Error", "Dynamic server usage", { digest: "DYNAMIC_SERVER_USAGE" })],
  ["Next.js: a prerender that ended", named("Error", "x", { digest: "HANGING_PROMISE_REJECTION" })],
  ["Next.js: a static page", named("Error", "x", { code: "NEXT_STATIC_GEN_BAILOUT" })],
  ["Next.js: redirect()", named("Error", "NEXT_REDIRECT", { digest: "NEXT_REDIRECT;replace;/;307;" })],
  ["Next.js: notFound()", named("Error", "x", { digest: "NEXT_HTTP_ERROR_FALLBACK;404" })],
  ["React: a promise that Suspense waits for", Promise.resolve()],
  ["React: a postponed render", { $$typeof: Symbol.for("react.postpone"), message: "x" }],
  ["SvelteKit: redirect()", { status: 307, location: "/" }],
  ["Remix: a response", new Response(null, { status: 302 })],
  ["an abort", new DOMException("This operation was aborted", "AbortError")],
  ["a timeout of another signal", new DOMException("The operation timed out", "TimeoutError")],
  ["axios: an abort", named("CanceledError", "canceled", { code: "ERR_CANCELED" })],
  ["undici: an abort", named("AbortError", "Request aborted", { code: "UND_ERR_ABORTED" })],
  ["undici: an argument", named("InvalidArgumentError", "x", { code: "UND_ERR_INVALID_ARG" })],
  ["a programming error", new TypeError("Cannot read properties of undefined (reading 'x')")],
  ["an assertion", named("AssertionError", "x", { code: "ERR_ASSERTION" })],
  ["a file", named("Error", "ENOENT: no such file", { code: "ENOENT", syscall: "open", path: "/key" })],
  ["Deno: a permission", named("NotCapable", 'Requires net access to "a.example"')],
  ["an error", new Error("the token could not be renewed")],
  ["text", "no"],
  ["nothing", undefined],
];

describe("an error of", () => {
  it.each(NETWORK_ERRORS)("%s is a fault of the network", (_, error) => {
    expect(faultIn(error)).toBeDefined();
  });

  it.each(OTHER_ERRORS)("%s is not", (_, error) => {
    expect(faultIn(error)).toBeUndefined();
  });

  it("a body is a fault of the network if it is a TypeError", () => {
    const bodyFault = (error: unknown) => bodyFaultOf(error, ENDPOINT, () => NOTHING);
    expect(bodyFault(new TypeError("unexpected end of file"))).toEqual({ problem: "RESPONSE_CUT" });
    expect(bodyFault(new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }))).toEqual({
      problem: "RESPONSE_CUT",
      systemCode: "ECONNRESET",
    });
    // The response had started, which is certain; the code is not.
    expect(bodyFault(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }))).toMatchObject({
      problem: "RESPONSE_CUT",
    });
    expect(bodyFault(new Error("the reader of the caller"))).toBeUndefined();
  });
});

describe("a proxy's refusal to connect", () => {
  const deno = (text: string) =>
    new Error(`error sending request for url (${ENDPOINT}): client error (Connect): ${text}`);
  it.each([
    ["Node", named("AbortError", "Proxy response (407) !== 200 when HTTP Tunneling", { code: "UND_ERR_ABORTED" }), 407],
    ["Node, for a plain response", new Error(), 407],
    ["Bun", named("Error", "Proxy refused to open a tunnel: 403 X", { code: "ERR_PROXY_TUNNEL", status: 403 }), 403],
    ["Deno", deno("proxy authentication required"), 407],
    ["Deno, which does not report the status", deno("unsuccessful tunnel"), undefined],
    [
      "an agent",
      named("Error", "tunneling socket could not be established, statusCode=502", { code: "ECONNRESET" }),
      502,
    ],
  ])("is read from the error of %s", (_, cause, status) => {
    expect(fault(cause)).toMatchObject({
      problem: status === 407 ? "PROXY_UNAUTHENTICATED" : "PROXY_REFUSED",
      proxyStatus: status,
      mayHaveBeenSent: false,
    });
  });

  it("is not assumed for a refused connection", () => {
    expect(fault({ code: "ECONNREFUSED" })).toMatchObject({ problem: "UNREACHABLE" });
    expect(fault(deno("tcp connect error: Connection refused"))).toMatchObject({ problem: "UNREACHABLE" });
  });
});

it.each([
  [{ code: "ENOTFOUND", hostname: "proxy.example" }, true],
  [{ code: "ENOTFOUND", hostname: "sandbox.example.com" }, false],
  [{ code: "ECONNREFUSED", port: 3128 }, true],
  [{ code: "ECONNREFUSED", port: 443 }, false],
  [{ code: "ECONNREFUSED" }, false],
])("recognizes another host than the service's: %o", (cause, isElsewhere) => {
  expect(fault(cause)).toMatchObject({ problem: isElsewhere ? "PROXY_UNREACHABLE" : "UNREACHABLE" });
});

it.each([
  ["CERT_HAS_EXPIRED", "CERTIFICATE_REFUSED"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERTIFICATE_REFUSED"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "CERTIFICATE_REFUSED"],
  ["EPROTO", "TLS_FAILED"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "TLS_FAILED"],
  ["ECONNRESET", "NO_RESPONSE"],
  ["UND_ERR_HEADERS_TIMEOUT", "NO_RESPONSE"],
])("distinguishes certificates, TLS and connections: %s", (code, problem) => {
  expect(fault({ code })).toMatchObject({ problem });
});

it("reports that the runtime gives no reason", () => {
  expect(faultIn(new TypeError("Failed to fetch"))).toMatchObject({ problem: "UNKNOWN", mayHaveBeenSent: true });
});
