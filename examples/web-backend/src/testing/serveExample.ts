import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { serveMock } from "@social-connect/mocks/node";
import { createExample, registrationOf } from "./example.ts";

/** The application and its service over HTTP, for browsers. */
export async function serveExample() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const service = await serveMock({ seed: "web-backend", application: registrationOf(origin) });
  const example = createExample(service.mock, origin);
  server.on("request", getRequestListener(example.app.fetch));
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  };
  return { origin, ...example, close };
}
