import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { serveMock } from "@social-connect/mocks/node";
import { serve } from "@social-connect/testkit";
import { createExample, registrationOf } from "./example.ts";

/** The application and its service over HTTP, for browsers. */
export async function serveExample() {
  let listener: RequestListener = () => undefined;
  const server = await serve((request, response) => listener(request, response));
  const service = await serveMock({ seed: "web-backend", application: registrationOf(server.url) });
  const example = createExample(service.mock, server.url);
  listener = getRequestListener(example.app.fetch);
  const close = async () => {
    await server.close();
    await service.close();
  };
  return { origin: server.url, ...example, close };
}
