import type { LocalServer } from "@social-connect/testkit";
import { afterAll, beforeAll } from "vitest";
import { service, useApplication } from "../../modules/testing/applicationOfFile.ts";
import { startTestServer } from "./testServer.ts";

export { application, connect, registrations, service } from "../../modules/testing/applicationOfFile.ts";
export let server: LocalServer;

export function useServer(): void {
  useApplication();
  beforeAll(async () => {
    server = await startTestServer(service);
  });
  afterAll(() => server.close());
}
