import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { serveMock } from "@social-connect/mocks/node";
import { createTestApp, registrationOf } from "./testApp.ts";

export type ServedExample = Awaited<ReturnType<typeof serveExample>>;

/** The application and its service over HTTP. */
export async function serveExample() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const service = await serveMock({ seed: "web-backend", application: registrationOf(origin) });
  const app = createTestApp({ mock: service.mock, origin });
  server.on("request", getRequestListener(app.app.fetch));
  return {
    origin,
    app,
    close: async () => {
      await app.scans.stop();
      server.close();
      server.closeAllConnections();
      await service.close();
    },
  };
}
