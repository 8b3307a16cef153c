/** Something between the caller and the service refuses: the error says who, and with what. */
import { createServer } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { runProgram } from "@social-connect/sdk-core/testing/runProgram";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { describe, expect, it, onTestFinished } from "vitest";
import { SocialConnect } from "../client.ts";
import { KEY, SCOPE } from "../testing/fakeApi.ts";

const html = { "content-type": "text/html" };
const json = { "content-type": "application/json" };
const CORRELATION_ID = "99999999-8888-4777-8666-555555555555";

async function failureOf(status: number, headers: Record<string, string>, body: string) {
  const { url, close } = await listening(
    createServer((request, response) => {
      request.resume();
      response.writeHead(status, headers).end(body);
    }),
  );
  onTestFinished(close);
  const user = new SocialConnect({ baseUrl: url, key: KEY, retries: 0 }).forSubject(SCOPE);
  return user.connection("c").catch((error: unknown) => error);
}

const ANSWERS: readonly (readonly [string, number, Record<string, string>, string, object])[] = [
  [
    "a gateway without an upstream",
    502,
    { ...html, server: "nginx/1.24.0" },
    "<h1>502</h1>",
    {
      code: "UNEXPECTED_STATUS",
      answeredBy: "nginx/1.24.0",
      message: expect.stringMatching(
        /^A proxy or load balancer could not get a response from the service \(HTTP 502 from nginx\/1\.24\.0 at http:\S+\)\.$/,
      ),
    },
  ],
  [
    "a page about maintenance",
    503,
    { ...html, "retry-after": "60", server: "cloudflare" },
    "<h1>503</h1>",
    { code: "UNEXPECTED_STATUS", answeredBy: "cloudflare", retryAfterSeconds: 60 },
  ],
  [
    "a load balancer",
    504,
    { ...html, server: "awselb/2.0" },
    "<h1>504</h1>",
    { code: "UNEXPECTED_STATUS", answeredBy: "awselb/2.0" },
  ],
  [
    "a firewall",
    403,
    { ...html, server: "AkamaiGHost" },
    "<h1>Access denied</h1>",
    {
      answeredBy: "AkamaiGHost",
      message: expect.stringMatching(
        /^This is not a Social Connect service: check baseUrl, a proxy, a firewall, .* \(HTTP 403 from AkamaiGHost at http:\S+\)\.$/,
      ),
    },
  ],
  [
    "an API gateway with its own format of errors",
    403,
    { ...json, server: "cloudflare" },
    '{"success":false,"errors":[{"code":1020,"message":"Access denied"}]}',
    { code: "UNEXPECTED_STATUS", answeredBy: "cloudflare" },
  ],
  [
    "a gateway that limits the size",
    413,
    { ...html, server: "nginx" },
    "<h1>413</h1>",
    { code: "BODY_TOO_LARGE", message: expect.stringContaining("a proxy in front of the service accepts") },
  ],
  [
    "a gateway that names itself in Via only",
    429,
    { ...html, via: "1.1 varnish (Varnish/6.0)" },
    "",
    { code: "UNEXPECTED_STATUS", answeredBy: "1.1 varnish (Varnish/6.0)" },
  ],
  [
    "the sign-in page of a network",
    200,
    { ...html, server: "portal" },
    "<form>",
    {
      code: "NOT_JSON",
      message: expect.stringContaining("or the sign-in page of a network (HTTP 200 from portal at "),
    },
  ],
  [
    "a redirect to a sign-in page",
    302,
    { location: "http://portal.example/" },
    "",
    { code: "REDIRECTED", message: expect.stringContaining("the sign-in page of a network") },
  ],
  [
    "a network that requires a sign-in",
    511,
    html,
    "<form>",
    { code: "UNEXPECTED_STATUS", message: expect.stringContaining("The network requires a sign-in") },
  ],
  [
    "a proxy without a name",
    500,
    { "content-type": "text/plain" },
    "upstream connect error",
    {
      code: "UNEXPECTED_STATUS",
      answeredBy: undefined,
      message: expect.stringMatching(/^A proxy, .*\(HTTP 500 at http:\S+\)\.$/),
    },
  ],
  [
    "a name that repeats the key",
    502,
    { ...html, server: KEY.slice(37, 90) },
    "",
    { code: "UNEXPECTED_STATUS", answeredBy: undefined },
  ],
  [
    "a name that is a page",
    502,
    { ...html, server: "<script>alert(1)</script>" },
    "",
    { code: "UNEXPECTED_STATUS", answeredBy: undefined },
  ],
];

describe("the response of", () => {
  it.each(ANSWERS)("%s is not reported as the service's", async (_, status, headers, body, expected) => {
    expect(await failureOf(status, headers, body)).toMatchObject({
      name: "ProtocolError",
      kind: "protocol",
      httpStatus: status,
      correlationId: undefined,
      ...expected,
    });
  });

  it("a proxy that requires credentials is reported with its status", async () => {
    const headers = { ...html, server: "squid/5.7", "proxy-authenticate": "Basic" };
    expect(await failureOf(407, headers, "<h1>no</h1>")).toMatchObject({
      name: "TransportError",
      proxyStatus: 407,
      message: expect.stringContaining(
        "A proxy refused the connection to the service (HTTP 407). It requires credentials",
      ),
    });
  });

  it("the service is not reported as a proxy's because of its headers", async () => {
    const headers = { ...html, server: "nginx", "x-correlation-id": CORRELATION_ID };
    expect(await failureOf(413, headers, "")).toMatchObject({
      answeredBy: undefined,
      correlationId: CORRELATION_ID,
      message: "The request is larger than the service accepts (HTTP 413).",
    });
    const error = JSON.stringify({ errors: [{ message: "No.", extensions: { code: "FORBIDDEN" } }] });
    expect(await failureOf(403, { ...json, server: "nginx" }, error)).toMatchObject({ name: "ForbiddenError" });
  });
});

/** Calls a service through the proxy that HTTPS_PROXY names, in its own process. */
async function throughProxy(onConnect: (socket: Socket) => void): Promise<unknown> {
  const server = createServer().on("connect", (_, socket: Socket) => {
    socket.on("error", () => undefined);
    onConnect(socket);
  });
  const { url, close } = await listening(server);
  onTestFinished(close);
  return callWith(url);
}

async function callWith(proxyUrl: string): Promise<unknown> {
  const env = { HTTPS_PROXY: proxyUrl, https_proxy: proxyUrl, NO_PROXY: "", no_proxy: "", NODE_USE_ENV_PROXY: "1" };
  return JSON.parse(await runProgram(new URL("../testing/callOnce.ts", import.meta.url), { env }));
}

describe("a proxy's refusal to connect", () => {
  it.each([
    [407, "It requires credentials: add them to its URL, for example in HTTPS_PROXY."],
    [403, "Check its rules, and HTTPS_PROXY and NO_PROXY."],
    [502, "Check its rules, and HTTPS_PROXY and NO_PROXY."],
    [503, "Check its rules, and HTTPS_PROXY and NO_PROXY."],
  ])("with %i is reported with its status", async (status, advice) => {
    const refuse = (socket: Socket) => void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    expect(await throughProxy(refuse)).toMatchObject({
      name: "TransportError",
      message: `A proxy refused the connection to the service (HTTP ${status}). ${advice}`,
      proxyStatus: status,
      mayHaveBeenSent: false,
    });
  });

  it("that cannot be reached itself is not reported as the service's", async () => {
    const { url, close } = await listening(createTcpServer());
    await close();
    expect(await callWith(url)).toMatchObject({
      name: "TransportError",
      message:
        "A host between you and the service could not be reached (ECONNREFUSED). Check the proxy, and HTTPS_PROXY and NO_PROXY.",
    });
  });
});
