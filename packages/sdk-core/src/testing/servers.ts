import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { Server, Socket } from "node:net";
import { text } from "node:stream/consumers";

export interface TestServer {
  readonly url: string;
  /** Also ends the open connections. */
  readonly close: () => Promise<void>;
}

/** Starts a server on its own port of this machine. */
export async function listening(server: Server, scheme = "http"): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  return { url: `${scheme}://127.0.0.1:${port}`, close };
}

/** Starts a fake service for clients in other processes. */
export function startService(fetch: (url: string, init: RequestInit) => Promise<Response>): Promise<TestServer> {
  const listener: RequestListener = async (request, response) => {
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await fetch(request.url ?? "", { headers, body: await text(request) });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  };
  return listening(createServer(listener));
}
