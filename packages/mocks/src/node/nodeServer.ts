import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { LIMITS } from "@social-connect/contract";
import { isAnyAddress, ownHostsAt, reachableHost, takeAbsoluteTarget, utf8Text } from "@social-connect/domain";
import { checkHostName, hostRefusal, type Incoming, type Outcome, type Peer } from "../http/exchange.ts";

export interface Answering {
  answer(request: Incoming, peer: Peer): Promise<Outcome>;
}

/** For restoring a snapshot, the largest body. */
const MAX_BODY_BYTES = 64 * 1_024 * 1_024;

const NO_ORIGIN = "http://mock.invalid";

/** Large enough for a callback with an oversized state or code, which an error page answers. */
const MAX_HEADER_BYTES = 64 * 1_024;

/** As long as the service's. Node's 5 seconds close a connection that a paused test process still uses. */
const KEEP_ALIVE_MS = 65_000;

export interface ListeningOptions {
  readonly port: number;
  readonly host: string;
  /** The base URL under which clients reach the server, if that is not where it listens. */
  readonly publicUrl?: string | undefined;
  /** More host names under which clients reach it. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Serves a mock over plain HTTP/1.1. The mock is created after the server listens, because its responses contain the address. */
export async function serveOverHttp(options: ListeningOptions, mockAt: (baseUrl: string) => Answering) {
  const { host, publicUrl, allowedHosts = [] } = options;
  const ownHosts = ownHostsAt(host, publicUrl === undefined ? [] : [publicUrl], allowedHosts.map(checkHostName));
  // Each client knows its own name for a server that listens at every address.
  const origin = publicUrl === undefined ? NO_ORIGIN : new URL(publicUrl).origin;
  const isNamedByClients = publicUrl === undefined && isAnyAddress(host);
  let mock: Answering | undefined;
  const bounds = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = createServer(bounds, (request, response) => {
    takeAbsoluteTarget(request);
    const refusal = hostRefusal(request.headersDistinct["host"] ?? [], ownHosts);
    const answerer = refusal === null ? mock : { answer: async () => refusal };
    const named = isNamedByClients ? { baseUrl: `http://${request.headers.host}` } : {};
    handle(answerer, request, response, { origin, ownHosts, ...named }).catch(() => response.destroy());
  });
  await once(server.listen(options.port, host), "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = promisify(server.close.bind(server))();
    server.closeAllConnections();
    await closed;
  };
  try {
    mock = mockAt(publicUrl ?? `http://${reachableHost(host)}:${port}`);
  } catch (error) {
    // A listening server would keep the process running.
    await close();
    throw error;
  }
  return { port, close };
}

async function handle(
  mock: Answering | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  { origin, ...arrival }: Pick<Incoming, "ownHosts" | "baseUrl"> & { readonly origin: string },
): Promise<void> {
  const incoming = { ...(await incomingOf(request, origin)), ...arrival };
  const outcome =
    mock === undefined
      ? "dropped"
      : await mock.answer(incoming, { isLoopback: isLoopback(request.socket.remoteAddress) });
  if (outcome === "dropped") {
    response.destroy();
    return;
  }
  const { status, headers, body } = outcome;
  for (const [name, value] of headers) response.appendHeader(name, value);
  response.writeHead(status);
  response.end(body ?? undefined);
}

/** An IPv4 address may be mapped to IPv6. */
function isLoopback(address = ""): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}

async function incomingOf(request: IncomingMessage, origin: string): Promise<Incoming> {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const { text, bytes } = await bodyOf(request);
  return {
    method: request.method ?? "GET",
    // The mock only uses the path, below the public URL's if it has one, so it works under every host name.
    url: urlOf(request.url ?? "/", origin),
    headers,
    authorizations: request.headersDistinct["authorization"] ?? [],
    text: async () => text,
    bodyBytes: bytes,
  };
}

/** Reads and discards bytes beyond the limit, so that the client receives the response. */
async function bodyOf(request: IncomingMessage): Promise<{ readonly text: string | null; readonly bytes: number }> {
  const limit = request.url?.startsWith("/__mock/") ? MAX_BODY_BYTES : 2 * LIMITS.bodyBytes;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= limit) parts.push(part);
  }
  return { text: utf8Text(Buffer.concat(parts)), bytes };
}

/** Relative to a base, a path that begins with two slashes would be another host's root. */
function urlOf(target: string, origin: string): URL {
  return target.startsWith("/") ? new URL(origin + target) : new URL(target, origin);
}
