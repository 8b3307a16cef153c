/** A server with one application, for the test file that imports it. */
import { afterAll, beforeAll } from "vitest";
import { service } from "../../modules/testing/applicationOfFile.ts";
import type { LocalServer } from "../../platform/testing/serve.ts";
import { startTestServer } from "./testServer.ts";

export { application, connect, registrations, service } from "../../modules/testing/applicationOfFile.ts";
export let server: LocalServer;

beforeAll(async () => {
  server = await startTestServer(service);
});
afterAll(() => server.close());
