import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";

export type LocalServer = Awaited<ReturnType<typeof serve>>;

/** Serves on a free loopback port: HTTP by a listener, or any other server. */
export async function serve(served: RequestListener | Server, scheme = "http") {
  // A busy machine may pause a test for longer than Node keeps an idle connection, which the test would then use again.
  const server: Server = typeof served === "function" ? createServer({ keepAliveTimeout: 0 }, served) : served;
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  /** Also ends requests that have no response yet. */
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close, [Symbol.asyncDispose]: close };
}
