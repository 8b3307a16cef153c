import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface LocalServer {
  readonly url: string;
  /** Also ends requests that have no response yet. */
  close(): Promise<void>;
}

/** Serves on a free loopback port. */
export async function serve(listener: RequestListener): Promise<LocalServer> {
  // A busy machine may pause a test for longer than Node keeps an idle connection, which the test would then use again.
  const server = createServer({ keepAliveTimeout: 0 }, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
