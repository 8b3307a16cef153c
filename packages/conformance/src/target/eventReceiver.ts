import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { EventReceiver } from "./target.ts";

/** Passes the requests to a URL on this machine to a receiver. */
export async function listenForEvents(receive: EventReceiver) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", async () => {
      const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const body = Buffer.concat(parts).toString();
      const answer = await receive(
        new Request(`http://receiver.test${request.url}`, { method: "POST", headers, body }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, close };
}
