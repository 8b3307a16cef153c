import type { SocialProvider } from "@social-connect/contract";
import { beforeAll } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { createApplication, createRegistrations, type TestApplication } from "./builders.ts";
import { type ConnectionOptions, createConnection } from "./connections.ts";
import { service, useService } from "./serviceOfFile.ts";

export { service };
export let application: TestApplication;
export let registrations: Record<SocialProvider, string>;

export function useApplication(): void {
  useService();
  beforeAll(async () => {
    registrations = await createRegistrations(service);
    application = await createApplication(service);
  });
}

export function connect(options?: ConnectionOptions): Promise<Connection> {
  return createConnection(service, application, registrations, options);
}
