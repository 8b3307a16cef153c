import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";

/**
 * Requests of one connection that may wait for their responses. Browsers, proxies and HTTP clients send one at a time. Each
 * takes a few kilobytes, also while the client does not read: 25 MB of them ended a process with a 512 MB heap.
 */
const MAX_UNANSWERED = 8;
/**
 * Requests of one connection in one turn of the event loop. Responses can end while their connection is still parsed: without
 * this bound, one connection had thousands of calls in one turn. A client that has read its responses may send as many again.
 */
const MAX_IN_TURN = 2 * MAX_UNANSWERED;
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
  const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();
  const inTurn = new WeakMap<Duplex, number>();
  const next = new WeakMap<Duplex, (() => void)[]>();
  const ending = new WeakSet<Duplex>();

  /**
   * Node parses all requests of 64 KB that it read, some 2,000, also of a closed connection, and keeps them until the next
   * turn of the event loop: 300 connections ended a process with a 256 MB heap. It stops only at an upgrade, so a request
   * that is not accepted is one. Upgrades that clients request are ignored.
   *
   * No public interface stops the parser: `maxRequestsPerSocket` and the event `dropRequest` count requests that are parsed, a
   * paused socket has handed over what it read, and `shouldUpgradeCallback` (22.21 and 24.9) is asked only about requests
   * with an `Upgrade` header.
   */
  class BoundedRequest extends IncomingMessage {
    isAccepted = true;

    get upgrade(): boolean {
      return !this.isAccepted || this.method === "CONNECT";
    }

    /** Node sets it before it reports the request. */
    set upgrade(_isRequested: boolean) {
      const { socket } = this;
      this.isAccepted =
        socket.writable &&
        (unanswered.get(socket)?.size ?? 0) < MAX_UNANSWERED &&
        (inTurn.get(socket) ?? 0) < MAX_IN_TURN;
    }
  }

  const server = createServer<typeof BoundedRequest>({ ...options, IncomingMessage: BoundedRequest });
  server.maxHeadersCount = MAX_HEADERS + 1;

  const refuse = (socket: Duplex, status: string): void => {
    // Also the errors of what follows the malformed part.
    if (ending.has(socket)) return;
    ending.add(socket);
    const hasBegun = [...(unanswered.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (!socket.writable || hasBegun) return void socket.destroy();
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  };

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (request.rawHeaders.length > 2 * MAX_HEADERS) return void refuse(socket, "431 Request Header Fields Too Large");
    const responses = unanswered.get(socket) ?? new Set();
    unanswered.set(socket, responses.add(response));
    response.once("close", () => {
      responses.delete(response);
      if (socket.writable) next.get(socket)?.shift()?.();
    });
    if (!inTurn.has(socket)) setImmediate(() => inTurn.delete(socket));
    inTurn.set(socket, (inTurn.get(socket) ?? 0) + 1);
    // One at a time: the others have no separate turn, and none begins for a caller that has left.
    if (responses.size === 1) return void listener(request, response);
    const waiting = next.get(socket) ?? [];
    next.set(socket, waiting);
    waiting.push(() => listener(request, response));
  });
  server.on("upgrade", (_request, socket) => (ending.has(socket) ? socket.resume() : socket.destroy()));
  server.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket) => {
    if (code === "ECONNRESET") socket.destroy();
    else refuse(socket, STATUS_BY_ERROR[code] ?? "400 Bad Request");
  });
  // Node closes these connections without a response.
  server.on("connect", (_request, socket) => refuse(socket, "405 Method Not Allowed"));
  return server;
}
