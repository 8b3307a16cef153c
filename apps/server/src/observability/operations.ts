import type { IncomingMessage, ServerResponse } from "node:http";
import { type HttpListener, listen } from "../platform/network/httpListener.ts";
import type { Scrape } from "./metrics.ts";

/** What an operator's tools ask a process, or all processes behind one port. */
export interface Operations {
  /** Metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  readonly isReady: () => Promise<boolean>;
}

/** The media type of Prometheus' text format. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** What a process answers for itself. */
export interface ProcessOperations extends Pick<Operations, "isReady"> {
  readonly metrics: (scrape: Scrape) => Promise<string>;
}

/** Serves metrics, liveness and readiness on a separate port. The network decides who may read them. */
export function serveOperations(operations: Operations, host: string, port: number): Promise<HttpListener> {
  // Concurrent requests share one query of the database.
  const shared = { metrics: once(operations.metrics), isReady: once(operations.isReady) };
  return listen(
    (request, response) =>
      void answer(shared, request, response).catch(() => end(response, 500, "failed to read the metrics\n")),
    host,
    port,
    { host: "METRICS_HOST", port: "METRICS_PORT" },
  );
}

/** A caller that asks while a call is in progress shares its result. */
function once<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | null = null;
  return () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}

async function answer({ metrics, isReady }: Operations, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return end(response, 405, "GET only\n");
  }
  switch (request.url?.split("?", 1)[0]) {
    case "/livez":
      return end(response, 200, "ok\n");
    case "/readyz":
      return (await isReady()) ? end(response, 200, "ready\n") : end(response, 503, "not ready\n");
    case "/metrics":
      return end(response, 200, await metrics(), METRICS_TYPE);
    default:
      return end(response, 404, "Not found\n");
  }
}

function end(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
}
