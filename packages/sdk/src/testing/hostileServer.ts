import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Server } from "node:net";
import { createServer as createRawServer } from "node:net";
import { text } from "node:stream/consumers";
import { createServer as createTlsServer } from "node:tls";

/** The parts of a request that a hostile server can put into its response. */
export interface Heard {
  /** The headers and the body, as one text. */
  readonly echo: string;
  readonly operation: string;
  readonly response: ServerResponse;
  readonly request: IncomingMessage;
}

export type Behaviour = (heard: Heard) => void | Promise<void>;

export interface Hostile {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

/** A server on its own port that reads each request and then runs the given behaviour. */
export async function serve(behaviour: Behaviour): Promise<Hostile> {
  const server = createServer(async (request, response) => {
    response.on("error", () => undefined);
    const body = await text(request).catch(() => "");
    const echo = `${JSON.stringify(request.headers)} ${body}`;
    const operation = /\{\s*(\w+)/.exec(queryOf(body).replace(/\([^)]*\)/g, ""))?.[1] ?? "";
    await behaviour({ echo, operation, request, response });
  });
  return opened(server, "http", () => server.closeAllConnections());
}

/** A server without HTTP: it runs the given behaviour on the connection. */
export async function serveRaw(behaviour: (socket: import("node:net").Socket) => void): Promise<Hostile> {
  const sockets = new Set<import("node:net").Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    behaviour(socket);
  });
  return opened(server, "http", () => {
    for (const socket of sockets) socket.destroy();
  });
}

/** A server whose TLS handshake fails: it has no certificate to show. */
export async function serveWithoutCertificate(): Promise<Hostile> {
  const server = createTlsServer({});
  server.on("tlsClientError", () => undefined);
  return opened(server, "https", () => undefined);
}

async function opened(server: Server, scheme: string, closeConnections: () => void): Promise<Hostile> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    baseUrl: `${scheme}://127.0.0.1:${port}`,
    close: async () => {
      closeConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function queryOf(body: string): string {
  try {
    const { query }: { query?: unknown } = JSON.parse(body);
    return String(query);
  } catch {
    return "";
  }
}
