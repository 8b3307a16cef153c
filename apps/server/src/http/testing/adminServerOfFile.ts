import { afterAll, beforeAll } from "vitest";
import { service } from "../../modules/testing/serviceOfFile.ts";
import { type AdminServer, startAdminServer } from "./adminServer.ts";

export { service };
/** An admin server for the test file that imports it. */
export let server: AdminServer;

beforeAll(async () => {
  server = await startAdminServer(service);
});
afterAll(() => server.close());
