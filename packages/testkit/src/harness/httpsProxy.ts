import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:https";
import { pipeline } from "node:stream";

/**
 * Serves https at a port for the http server at another. It sets X-Forwarded-For, -Host and -Proto itself and discards the
 * client's values, as the proxies of `deploy` do.
 *
 * @returns what ends it
 */
export async function serveHttps(
  port: number,
  upstream: number,
  tls: { readonly cert: string; readonly key: string },
): Promise<() => void> {
  const server = createServer(tls, (incoming, outgoing) => {
    const { method, url: path, headers, socket } = incoming;
    const forwarded = request({ host: "127.0.0.1", port: upstream, method, path, headers, agent: false });
    forwarded.setHeader("connection", "close");
    forwarded.setHeader("x-forwarded-for", socket.remoteAddress ?? "");
    forwarded.setHeader("x-forwarded-host", headers.host ?? "");
    forwarded.setHeader("x-forwarded-proto", "https");
    forwarded.on("response", (response) => {
      const { connection: _ofUpstream, ...kept } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, kept);
      pipeline(response, outgoing, () => undefined);
    });
    forwarded.on("error", () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
