import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { visitAhead } from "./visitAhead.ts";

test("requests the address with HEAD and as a prefetch, and follows no redirect", async () => {
  const seen: unknown[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    seen.push([method, url, headers["sec-purpose"], headers.cookie]);
    response.writeHead(303, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/callback?state=s`;
  await visitAhead(address);
  expect(seen).toEqual([
    ["HEAD", "/callback?state=s", undefined, undefined],
    ["GET", "/callback?state=s", "prefetch", undefined],
  ]);
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  // No server listens there now, which is not a failure of the person.
  await visitAhead(address);
});
