import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";

/**
 * Forwards connections to the apis in turn, byte for byte, so that raw requests arrive unchanged. An api that refuses, or does not
 * answer, is skipped, as after a failed health check; if there is no other, the connection is closed.
 */
export async function startTcpProxy(port: number, apis: readonly ServiceProcess[]): Promise<AsyncDisposable> {
  const open = new Set<Socket>();
  let next = 0;
  const forward = async (client: Socket): Promise<void> => {
    next += 1;
    for (let attempt = 0; attempt < apis.length; attempt += 1) {
      const api = apis[(next + attempt) % apis.length];
      const upstream = api === undefined || api.isFrozen ? null : await reach(api.port);
      if (upstream === null) continue;
      upstream.on("error", () => client.destroy());
      client.on("close", () => upstream.destroy());
      client.pipe(upstream).pipe(client);
      client.resume();
      return;
    }
    client.destroy();
  };
  const server = createServer({ pauseOnConnect: true }, (client) => {
    open.add(client);
    client.on("error", () => client.destroy()).on("close", () => open.delete(client));
    void forward(client);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** A connection to a port of this machine; null when it is refused. */
function reach(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket.off("error", refuse)));
    const refuse = (): void => resolve(null);
    socket.once("error", refuse);
  });
}
