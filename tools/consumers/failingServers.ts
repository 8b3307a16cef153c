/** Servers on loopback that fail in every way that `failureTable.ts` lists: by path over HTTP/1.1 and HTTP/2, and by port. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { constants, createSecureServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type LocalServer, serve } from "../../packages/testkit/src/index.ts";

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

const listener = (request: IncomingMessage, response: ServerResponse) => respond(() => answer(request, response));

/** A client that has left gets no response. */
function respond(run: () => Promise<void>): void {
  run().catch(() => undefined);
}

function faultIn(path = ""): string {
  return path.split("/")[1] ?? "";
}

/** Certificates of two authorities: the first is trusted by the program under test. */
function makeCertificates(folder: string) {
  mkdirSync(folder, { recursive: true });
  const openssl = (command: string) => execFileSync("openssl", command.split(" "), { cwd: folder, stdio: "pipe" });
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  const usage = "-addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign,cRLSign";
  for (const name of ["trusted", "other"]) {
    if (existsSync(join(folder, `${name}.crt`))) continue;
    openssl(`req -x509 ${key} -keyout ${name}.key -out ${name}.crt -subj /CN=${name} -days 30 ${usage}`);
  }
  const make = (name: string, authority: string, names: string, days = 10) => {
    writeFileSync(join(folder, "extensions"), `subjectAltName=${names}\nbasicConstraints=CA:FALSE\n`);
    openssl(`req ${key} -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
    const signed = `-CA ${authority}.crt -CAkey ${authority}.key -CAcreateserial -extfile extensions -days ${days}`;
    openssl(`x509 -req -in ${name}.csr -out ${name}.crt ${signed}`);
    return { key: readFileSync(join(folder, `${name}.key`)), cert: readFileSync(join(folder, `${name}.crt`)) };
  };
  const here = "DNS:localhost,IP:127.0.0.1";
  return {
    authority: join(folder, "trusted.crt"),
    good: make("good", "trusted", here),
    "unknown-authority": make("unknown-authority", "other", here),
    "wrong-name": make("wrong-name", "trusted", "DNS:elsewhere.example"),
    expired: make("expired", "trusted", here, -1),
  };
}

export type FailingServers = Awaited<ReturnType<typeof startFailingServers>>;

export async function startFailingServers(folder: string) {
  const certificates = makeCertificates(folder);
  const started: LocalServer[] = [];
  const start = async (server: Server): Promise<string> => {
    server.on("tlsClientError", () => undefined).on("sessionError", () => undefined);
    server.on("secureConnection", (socket: Socket) => socket.on("error", () => undefined));
    const local = await serve(server);
    started.push(local);
    return new URL(local.url).host;
  };
  const http1 = await start(createServer(listener));
  const secure = await start(createTlsServer({ ...certificates.good, ALPNProtocols: ["http/1.1"] }, listener));
  const http2Server = createHttp2Server(certificates.good);
  http2Server.on("stream", (stream, headers) => respond(() => answerStream(stream, headers[":path"])));
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
    close: async () => void (await Promise.all(started.map(({ close }) => close()))),
  };
}
