/** Servers on loopback that fail in every way that `failureTable.ts` lists: by path over HTTP/1.1 and HTTP/2, and by port. */
import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { constants, createSecureServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { serve } from "../../packages/testkit/src/index.ts";
import { createAuthority, readCertificate } from "../../system-tests/deployment/certificates.ts";

const JSON_TYPE = { "content-type": "application/json" };
const WHOLE = JSON.stringify({
  data: { integrationReadiness: { providers: [], idpIdentityAvailable: false } },
  extensions: { padding: "x".repeat(2_000) },
});
const HALF = WHOLE.slice(0, 900);
const ZIPPED = gzipSync(WHOLE);
const DECLARED = { ...JSON_TYPE, "content-length": String(WHOLE.length) };
const LENGTH_OF_HALF = { ...JSON_TYPE, "content-length": String(HALF.length) };

/** A response as both protocols send it: `end` says how its body ends. */
interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly end?: "whole" | "closed" | "reset" | "never";
}

const SENT: Readonly<Record<string, Sent>> = {
  ok: { body: WHOLE },
  "cut-length": { headers: DECLARED, body: HALF, end: "closed" },
  "cut-chunked": { body: HALF, end: "closed" },
  "reset-length": { headers: DECLARED, body: HALF, end: "reset" },
  "reset-chunked": { body: HALF, end: "reset" },
  "hang-body": { body: HALF, end: "never" },
  empty: {},
  html200: { headers: { "content-type": "text/html" }, body: "<h1>hello</h1>" },
  html404: { status: 404, headers: { "content-type": "text/html" }, body: "<h1>hello</h1>" },
  html502: { status: 502, headers: { "content-type": "text/html" }, body: "<h1>hello</h1>" },
  "json-half": { headers: LENGTH_OF_HALF, body: HALF },
  "gzip-broken": { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, body: "this is not gzip" },
  "gzip-cut": { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, body: ZIPPED.subarray(0, -20) },
  page: { headers: { "content-type": "text/html" }, body: "<p>page</p>" },
};

/** How a connection ends without a response over HTTP/1.1. */
const ENDED: Readonly<Record<string, (socket: Socket) => void>> = {
  reset: (socket) => socket.resetAndDestroy(),
  closed: (socket) => socket.end(),
  "cut-headers": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-ty"),
  "closed-body": (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${HALF}`),
  hang: () => undefined,
};

/** Requests over HTTP/1.1, by their path, and whether the connection had served another. */
const received: { readonly path: string; readonly isReused: boolean }[] = [];
const used = new WeakSet<Socket>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request;
  received.push({ path: request.url ?? "", isReused: used.has(socket) });
  used.add(socket);
  for await (const _ of request);
  const name = faultIn(request.url);
  const ended = ENDED[name];
  if (ended !== undefined) return ended(socket);
  const { status = 200, headers = JSON_TYPE, body = "", end = "whole" } = SENT[name] ?? { status: 500 };
  response.writeHead(status, headers);
  if (end === "whole") return void response.end(body);
  response.write(body, () => {
    if (end === "closed") socket.end();
    if (end === "reset") socket.resetAndDestroy();
  });
}

async function answerStream(stream: ServerHttp2Stream, path: string | undefined): Promise<void> {
  stream.on("error", () => undefined);
  for await (const _ of stream);
  const name = faultIn(path);
  const close = () => stream.session?.destroy();
  if (name === "hang") return;
  if (name === "reset") return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  if (name in ENDED) return close();
  const { status = 200, headers = JSON_TYPE, body = "", end = "whole" } = SENT[name] ?? { status: 500 };
  stream.respond({ ":status": status, ...headers });
  if (end === "whole") return void stream.end(body);
  stream.write(body, () => {
    // A later turn, so that the body is sent before the end.
    if (end === "closed") setImmediate(() => setImmediate(close));
    if (end === "reset") setImmediate(() => setImmediate(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR)));
  });
}

/** A client that has left gets no response. */
const ignore = () => undefined;
const listener = (request: IncomingMessage, response: ServerResponse) => void answer(request, response).catch(ignore);

function faultIn(path = ""): string {
  return path.split("/")[1] ?? "";
}

/** Certificates of two authorities: the first is trusted by the program under test. */
async function makeCertificates(folder: string) {
  await mkdir(folder, { recursive: true });
  const trusted = await createAuthority(folder, "trusted");
  const other = await createAuthority(folder, "other");
  const make = async (name: string, names = "DNS:localhost,IP:127.0.0.1", authority = trusted, days = 10) =>
    readCertificate(await authority.certify(name, names, days));
  return {
    authority: trusted.certificate,
    good: await make("good"),
    "unknown-authority": await make("unknown-authority", undefined, other),
    "wrong-name": await make("wrong-name", "DNS:elsewhere.example"),
    expired: await make("expired", undefined, undefined, -1),
  };
}

export type FailingServers = Awaited<ReturnType<typeof startFailingServers>>;

export async function startFailingServers(folder: string) {
  const certificates = await makeCertificates(folder);
  const started = new AsyncDisposableStack();
  const start = async (server: Server): Promise<string> => {
    server.on("tlsClientError", ignore).on("sessionError", ignore);
    server.on("secureConnection", (socket: Socket) => socket.on("error", ignore));
    return new URL(started.use(await serve(server)).url).host;
  };
  const http1 = await start(createServer(listener));
  const secure = await start(createTlsServer({ ...certificates.good, ALPNProtocols: ["http/1.1"] }, listener));
  const http2Server = createHttp2Server(certificates.good);
  http2Server.on("stream", (stream, headers) => void answerStream(stream, headers[":path"]).catch(ignore));
  const http2 = await start(http2Server);
  const refusing = await serve(createTcpServer());
  await refusing.close();
  const withCertificate = async (name: "unknown-authority" | "wrong-name" | "expired") =>
    `https://${await start(createTlsServer(certificates[name], listener))}/ok`;
  return {
    /** The certificate of the authority to trust. */
    authority: certificates.authority,
    received: received as readonly (typeof received)[number][],
    http1: `http://${http1}`,
    http2: `https://${http2}`,
    /** Places without a response, for any path. */
    places: {
      refused: refusing.url,
      "no-such-host": "https://nothing.invalid",
      "unknown-authority": await withCertificate("unknown-authority"),
      "wrong-name": await withCertificate("wrong-name"),
      expired: await withCertificate("expired"),
      "not-tls": `https://${http1}/ok`,
      "not-plain": `http://${secure}/ok`,
    } as Readonly<Record<string, string>>,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
