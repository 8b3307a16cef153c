import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { hostNameOf, isLoopbackName, reachableHost, takeAbsoluteTarget } from "@social-connect/domain";
import { createBoundedServer } from "./boundConnections.ts";

export interface HttpListener {
  /** The base URL where clients of this machine reach it. */
  readonly address: string;
  /**
   * Closes it without resetting connections: until `drained` it responds with Connection: close, then it accepts no new
   * connection and waits for in-flight requests, at most `timeoutMs`.
   */
  close(timeoutMs: number, drained?: Promise<unknown>): Promise<void>;
}

const UNKNOWN = "the address is unknown";
/** Why a server cannot listen somewhere, by the system's code. */
export const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "the address is not one of this machine",
  ENOTFOUND: UNKNOWN,
  EAI_AGAIN: UNKNOWN,
  EACCES: "the user of this process may not listen there; ports below 1024 are often reserved",
};

/** How often connections are closed that became idle, of a server that closes. */
const IDLE_POLL_MS = 50;

/** How long a connection may have an unanswered request, or an unread response, without a byte in either direction. */
const IDLE_MS = 120_000;

/** Disconnects slow senders, so that they cannot hold connections and memory forever. */
const BOUNDS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  // A provider's response is in the URL. An extremely long one should get an error page and not Node's bare status.
  maxHeaderSize: 65_536,
};

/** The settings of an address. */
interface AddressNames {
  readonly host: string;
  readonly port: string;
}

export async function listen(
  handler: RequestListener,
  host: string,
  port: number,
  names: AddressNames = { host: "HOST", port: "PORT" },
  ownNames: readonly string[] = [],
): Promise<HttpListener> {
  let isDraining = false;
  const server = createBoundedServer(BOUNDS, (request, response) => {
    if (isDraining) response.setHeader("connection", "close");
    if (refusesTarget(request, response, ownNames)) return;
    handler(request, response);
  });
  server.timeout = IDLE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const problem = LISTEN_PROBLEMS[cause.code ?? ""] ?? cause.message;
      const message =
        cause.code === "EADDRINUSE"
          ? `port ${port} is in use; stop the program that uses it, or set ${names.port} to another`
          : `cannot listen at ${host}:${port}: ${problem}; correct ${names.host} or ${names.port}`;
      reject(new Error(message, { cause }));
    });
    server.listen(port, host, resolve);
  });
  return {
    address: addressOf(server),
    close: async (timeoutMs, drained = Promise.resolve()) => {
      isDraining = true;
      await drained;
      const closed = new Promise((resolve) => server.close(resolve));
      // Node closes idle connections once. A connection with an in-flight request becomes idle later, and its client may keep it.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
      const timeout = setTimeout(timeoutMs, undefined, { ref: false });
      await Promise.race([closed, timeout]);
      clearInterval(idle);
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * A request may name its host in the target, as clients of a proxy do: one of `ownNames`, a loopback name, or the address that
 * it arrived at. Any other is refused, because this server is not a proxy.
 */
function refusesTarget(request: IncomingMessage, response: ServerResponse, ownNames: readonly string[]): boolean {
  const host = takeAbsoluteTarget(request);
  if (host === null) return false;
  const name = hostNameOf(host);
  const { localAddress = "" } = request.socket;
  const arrivedAt = hostNameOf(localAddress.includes(".") ? localAddress.replace(/^.*:/, "") : `[${localAddress}]`);
  if (name !== null && (isLoopbackName(name) || name === arrivedAt || ownNames.includes(name))) return false;
  const [status, text] =
    name === null ? [400, "The request target is not valid."] : [421, "The request target names another host."];
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(`${text}\n`);
  return true;
}

function addressOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no address");
  return `http://${reachableHost(address.address)}:${address.port}`;
}
