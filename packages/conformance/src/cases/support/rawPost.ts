import { connect } from "node:net";

/** A POST written byte by byte, for requests that `fetch` would not send; returns the raw response. */
export function rawPost(
  baseUrl: string,
  path: string,
  headers: readonly string[],
  body: string,
  hosts: readonly string[] = [new URL(baseUrl).host],
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port || 80), hostname, () => {
      const head = [
        `POST ${path} HTTP/1.1`,
        ...hosts.map((host) => `Host: ${host}`),
        ...headers,
        `Content-Length: ${Buffer.byteLength(body)}`,
        "Connection: close",
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    });
    socket.setTimeout(15_000, () => socket.destroy(new Error("no response within 15 seconds")));
    socket.on("data", (part) => parts.push(part));
    socket.on("end", () => resolve(Buffer.concat(parts).toString()));
    socket.on("error", reject);
  });
}
