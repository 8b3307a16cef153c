import { text } from "node:stream/consumers";
import { type LocalServer, serve } from "@social-connect/testkit";

export { type LocalServer as TestServer, serve as listening };

/** Starts a fake service for clients in other processes. */
export function startService(fetch: (url: string, init: RequestInit) => Promise<Response>): Promise<LocalServer> {
  return serve(async (request, response) => {
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await fetch(request.url ?? "", { headers, body: await text(request) });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
}
