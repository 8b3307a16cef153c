import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";

export interface HttpListener {
  /** Where it listens, as a base address. */
  readonly address: string;
  /**
   * Ends it so that no caller sees a connection reset: until `drained` it serves on but asks each client to close, then it
   * takes no new connection and waits for what is in hand, at most `timeoutMs`.
   */
  close(timeoutMs: number, drained?: Promise<unknown>): Promise<void>;
}

export class PortTakenError extends Error {
  constructor(port: number, cause: unknown) {
    super(`port ${port} is taken; end what uses it, or name another one with PORT`, { cause });
    this.name = "PortTakenError";
  }
}

/** Slow senders are cut off, so that they cannot hold connections for ever. */
const BOUNDS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  // A provider's answer comes in the address. An absurdly long one is to end on a page, not on a bare status of Node's.
  maxHeaderSize: 65_536,
};

export async function listen(handler: RequestListener, host: string, port: number): Promise<HttpListener> {
  let isDraining = false;
  const server = createServer(BOUNDS, (request, response) => {
    if (isDraining) response.setHeader("connection", "close");
    handler(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new PortTakenError(port, error) : error),
    );
    server.listen(port, host, resolve);
  });
  return {
    address: addressOf(server),
    close: async (timeoutMs, drained = Promise.resolve()) => {
      isDraining = true;
      await drained;
      const closed = new Promise((resolve) => server.close(resolve));
      const timeout = setTimeout(timeoutMs, undefined, { ref: false });
      await Promise.race([closed, timeout]);
      server.closeAllConnections();
      await closed;
    },
  };
}

function addressOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no address");
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
