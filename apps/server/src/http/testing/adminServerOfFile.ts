import { afterAll, beforeAll } from "vitest";
import { service, useService } from "../../modules/testing/serviceOfFile.ts";
import { type AdminServer, startAdminServer } from "./adminServer.ts";

export { service };
export let server: AdminServer;

export function useAdminServer(): void {
  useService();
  beforeAll(async () => {
    server = await startAdminServer(service);
  });
  afterAll(() => server.close());
}
