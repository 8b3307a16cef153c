import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { PacedConnection } from "./pacedConnection.ts";

/** How long the rest of a malformed request is read, so that the client receives the response instead of a reset. */
const LINGER_MS = 1_000;
/** Node silently drops the headers after `maxHeadersCount`, which may be the ones of a proxy. 400 took as long as three refusals. */
const MAX_HEADERS = 100;

const STATUS_BY_ERROR: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Creates a server that bounds what each of its connections can keep in memory, and answers malformed requests before it
 * closes their connection: a proxy could take a reset for a fault of the server.
 */
export function createBoundedServer(options: ServerOptions, listener: RequestListener): Server {
  const ending = new WeakSet<Duplex>();
  const server = createServer(options);
  server.maxHeadersCount = MAX_HEADERS + 1;

  // Node's own listener, which takes any duplex stream.
  const attach = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const connection = new PacedConnection(socket);
    for (const each of attach) each.call(server, connection);
  });

  const refuse = (socket: Duplex, status: string): void => {
    // Also the errors of what follows the malformed part.
    if (ending.has(socket)) return;
    ending.add(socket);
    const hasBegun = socket instanceof PacedConnection && [...socket.unanswered].some(({ headersSent }) => headersSent);
    if (!socket.writable || hasBegun) return void socket.destroy();
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  };

  server.on("request", (request: IncomingMessage, response) => {
    const socket: Duplex = request.socket;
    if (request.rawHeaders.length > 2 * MAX_HEADERS) return void refuse(socket, "431 Request Header Fields Too Large");
    if (socket instanceof PacedConnection) socket.handle(response, () => listener(request, response));
  });
  server.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket) => {
    if (code === "ECONNRESET") socket.destroy();
    else refuse(socket, STATUS_BY_ERROR[code] ?? "400 Bad Request");
  });
  // Node closes these connections without a response.
  server.on("connect", (_request, socket) => refuse(socket, "405 Method Not Allowed"));
  return server;
}
