import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";

const HEALTH_CHECK_MS = 200;
/** As `failureThreshold` in deploy/kubernetes: one late answer of a busy machine does not take an api out of use. */
const FAILED_CHECKS = 2;

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding"]);

/**
 * Sends each request to one of the apis that are ready, in turn, on a new connection, as nginx does by default. An api that
 * refuses the connection is skipped; anything else that goes wrong is answered with 502.
 */
export async function startHttpProxy(port: number, apis: readonly ServiceProcess[]): Promise<AsyncDisposable> {
  const upstreams = apis.map((api) => api.port);
  const { isHealthy, stop } = watchHealth(apis);
  let next = 0;
  const forward = async (request: IncomingMessage, body: Buffer): Promise<IncomingMessage> => {
    next += 1;
    for (let attempt = 0; attempt < upstreams.length; attempt += 1) {
      const index = (next + attempt) % upstreams.length;
      if (!isHealthy(index)) continue;
      const response = await send(upstreams[index] ?? 0, request, body);
      if (response !== null) return response;
    }
    throw new Error("no upstream is available");
  };
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => forward(request, body))
      .then(async (answer) => {
        const content = await buffer(answer);
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers)).end(content);
      })
      .catch((error: Error) => response.writeHead(502).end(`the proxy has no response: ${error.message}`));
  });
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

/** An api is checked again after its last check has ended, so that a late answer cannot replace a newer one. */
function watchHealth(apis: readonly ServiceProcess[]) {
  const failures = apis.map(() => 0);
  let isStopped = false;
  const watch = async (api: ServiceProcess, index: number) => {
    while (!isStopped) {
      failures[index] = (await api.isReady()) ? 0 : (failures[index] ?? 0) + 1;
      await setTimeout(HEALTH_CHECK_MS);
    }
  };
  const watching = Promise.all(apis.map(watch));
  return {
    isHealthy: (index: number) => (failures[index] ?? 0) < FAILED_CHECKS,
    stop: async () => {
      isStopped = true;
      await watching;
    },
  };
}

/** null if the connection is refused, because then the request was not sent. */
function send(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage | null> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: url, agent: false, headers: endToEnd(headers) } as const;
    const sending = sendRequest({ ...options, ...(method !== undefined && { method }) }, resolve);
    sending.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") resolve(null);
      else reject(error);
    });
    sending.end(body);
  });
}

function endToEnd(headers: IncomingMessage["headers"]): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}
