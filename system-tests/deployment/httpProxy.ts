import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

const HEALTH_CHECK_MS = 200;
/** As `failureThreshold` in deploy/kubernetes: one late answer of a busy machine does not take an api out of use. */
const FAILED_CHECKS = 2;

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding"]);

export interface Upstream {
  readonly port: number;
  isReady(): Promise<boolean>;
}

/**
 * Sends each request to one of the servers that are ready, in turn, on a new connection, as nginx does by default. One that refuses the
 * connection is skipped; anything else that goes wrong is answered with 502. One that is trusted sets X-Forwarded-For, -Host and -Proto
 * itself, as the proxies of `deploy` do; without `tls`, as one behind another that ends TLS.
 */
export async function startHttpProxy(
  port: number,
  upstreams: readonly Upstream[],
  { tls, isTrusted }: { readonly tls?: { readonly cert: string; readonly key: string }; readonly isTrusted: boolean },
): Promise<AsyncDisposable> {
  const { isHealthy, stop } = watchHealth(upstreams);
  let next = 0;
  const forward = async ({ headers, method, socket, url }: IncomingMessage, body: Buffer): Promise<IncomingMessage> => {
    const address = { "x-forwarded-for": socket.remoteAddress ?? "", "x-forwarded-host": headers.host };
    const proxied = isTrusted ? { ...address, "x-forwarded-proto": "https" } : {};
    const sent = { method, path: url, headers: endToEnd({ ...headers, ...proxied }) };
    next += 1;
    for (const [attempt] of upstreams.entries()) {
      const index = (next + attempt) % upstreams.length;
      const response = isHealthy(index) ? await send({ ...sent, port: upstreams[index]?.port }, body) : null;
      if (response !== null) return response;
    }
    throw new Error("no upstream is available");
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    buffer(request)
      .then((body) => forward(request, body))
      .then(async (answer) => {
        const content = await buffer(answer);
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers)).end(content);
      })
      .catch((error: Error) => response.writeHead(502).end(`the proxy has no response: ${error.message}`));
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await stop();
    },
  };
}

/** A server is checked again after its last check has ended, so that a late answer cannot replace a newer one. */
function watchHealth(upstreams: readonly Upstream[]) {
  const failures = upstreams.map(() => 0);
  let isStopped = false;
  const watch = async (upstream: Upstream, index: number) => {
    while (!isStopped) {
      failures[index] = (await upstream.isReady()) ? 0 : (failures[index] ?? 0) + 1;
      await setTimeout(HEALTH_CHECK_MS);
    }
  };
  const watching = Promise.all(upstreams.map(watch));
  return {
    isHealthy: (index: number) => (failures[index] ?? 0) < FAILED_CHECKS,
    stop: async () => {
      isStopped = true;
      await watching;
    },
  };
}

/** null if the connection is refused, because then the request was not sent. */
function send(options: RequestOptions, body: Buffer): Promise<IncomingMessage | null> {
  return new Promise((resolve, reject) => {
    const sending = sendRequest({ ...options, host: "127.0.0.1", agent: false }, resolve).end(body);
    sending.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNREFUSED" ? resolve(null) : reject(error),
    );
  });
}

function endToEnd(headers: IncomingMessage["headers"]): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}
