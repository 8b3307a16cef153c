import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { EventReceiver } from "./target.ts";

/** Passes the requests to a URL on this machine to a receiver. */
export async function listenForEvents(receive: EventReceiver) {
  const server = createServer(async (request, response) => {
    const { url, method, headers } = request;
    const init = { method, headers: headers as Record<string, string>, body: await text(request) };
    const answer = await receive(new Request(`http://receiver.test${url}`, init as RequestInit));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, close };
}
