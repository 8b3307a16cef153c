import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** A POST written byte by byte, for requests that `fetch` would not send; returns the raw response. */
export function rawPost(
  baseUrl: string,
  path: string,
  headers: readonly string[],
  body: string,
  hosts: readonly string[] = [new URL(baseUrl).host],
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port || 80), hostname);
  socket.setTimeout(15_000, () => socket.destroy(new Error("no response within 15 seconds")));
  const fields = [...hosts.map((host) => `Host: ${host}`), ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
  socket.write([`POST ${path} HTTP/1.1`, ...fields, "Connection: close", "", body].join("\r\n"));
  return text(socket);
}
