import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface BalancerOptions {
  /** The port to listen on; a free one by default. */
  readonly port?: number;
  /** Whether the port with this index accepts connections, like a health check. */
  readonly isHealthy?: (index: number) => boolean | Promise<boolean>;
}

/**
 * Forwards connections to the ports in turn, byte for byte, so that raw requests arrive unchanged. A port that refuses
 * is skipped; if all refuse, the connection is closed.
 */
export async function balanceLoad(
  ports: readonly number[],
  { port = 0, isHealthy = () => true }: BalancerOptions = {},
) {
  const open = new Set<Socket>();
  let next = 0;
  const forward = async (client: Socket): Promise<void> => {
    const first = next;
    next += 1;
    for (let attempt = 0; attempt < ports.length; attempt += 1) {
      const index = (first + attempt) % ports.length;
      const upstream = (await isHealthy(index)) ? await reach(ports[index] ?? 0) : null;
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
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () => {
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
