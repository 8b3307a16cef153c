import { once } from "node:events";
import type { Socket } from "node:net";
import { connect, createServer } from "node:net";

export interface LoadBalancer {
  readonly port: number;
  /** Connections that each port took, in the order of the ports. */
  readonly counts: readonly number[];
  close(): void;
}

export interface BalancerOptions {
  /** Where it listens; a free port when there is none. */
  readonly port?: number;
  /** Whether the port of this index takes new connections, as a health check would tell. */
  readonly isHealthy?: (index: number) => boolean;
}

/**
 * Passes connections on to the ports in turn, byte for byte, so that raw requests arrive as they were sent. A port that
 * refuses is skipped; when all refuse, the connection is closed.
 */
export async function balanceLoad(
  ports: readonly number[],
  { port = 0, isHealthy = () => true }: BalancerOptions = {},
): Promise<LoadBalancer> {
  const counts = ports.map(() => 0);
  const open = new Set<Socket>();
  let next = 0;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    open.add(client);
    client.on("error", () => client.destroy()).on("close", () => open.delete(client));
    const first = next;
    next += 1;
    const tryPort = (attempt: number): void => {
      if (attempt === ports.length) return void client.destroy();
      const index = (first + attempt) % ports.length;
      if (!isHealthy(index)) return tryPort(attempt + 1);
      const upstream = connect(ports[index] ?? 0, "127.0.0.1");
      const skip = () => tryPort(attempt + 1);
      upstream.once("error", skip);
      upstream.once("connect", () => {
        upstream.off("error", skip).on("error", () => client.destroy());
        client.on("close", () => upstream.destroy());
        counts[index] = (counts[index] ?? 0) + 1;
        client.pipe(upstream).pipe(client);
        client.resume();
      });
    };
    tryPort(0);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    counts,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
