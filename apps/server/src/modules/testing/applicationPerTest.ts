import type { SocialProvider } from "@social-connect/contract";
import { beforeAll, beforeEach } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { createApplication, createRegistrations, type TestApplication } from "./builders.ts";
import { type ConnectionOptions, createConnection } from "./connections.ts";
import { service, useService } from "./serviceOfFile.ts";

export { service };
export let application: TestApplication;
export let registrations: Record<SocialProvider, string>;
/** How many tests have started, for names that must be unique. */
export let testNumber = 0;

/**
 * Starts a service for the tests of a file. Before each test it creates an application and resets the fake providers.
 */
export function useApplicationPerTest(): void {
  useService();
  beforeAll(async () => {
    registrations = await createRegistrations(service);
  });
  beforeEach(async () => {
    testNumber += 1;
    application = await createApplication(service, `shop-${testNumber}`);
    for (const fake of Object.values(service.fakes)) fake.reset();
  });
}

export function connect(options?: ConnectionOptions): Promise<Connection> {
  return createConnection(service, application, registrations, options);
}
