import { once } from "node:events";
import type { Server } from "node:http";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { Replies } from "./fakeApi.ts";
import { BASE_URL, fakeApi } from "./fakeApi.ts";

/** A fake service on its own port, for clients in other processes. */
export async function startFakeService(replies: Replies) {
  const api = fakeApi(replies);
  const server: Server = createServer(async (request, response) => {
    const answer = await api.fetch(BASE_URL, { body: await text(request) });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { api, baseUrl: `http://127.0.0.1:${port}`, close };
}
