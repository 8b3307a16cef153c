import { TestClock } from "@social-connect/testkit";
import {
  type ConnectionOptions,
  createApplication,
  createConnection,
  createRegistrations,
  type TestApplication,
  type TestService,
} from "./server.ts";
import type { TestPanel } from "./testPanel.ts";

export interface Planted {
  readonly service: TestService;
  readonly application: TestApplication;
  readonly registrations: Awaited<ReturnType<typeof createRegistrations>>;
  readonly connection: Awaited<ReturnType<typeof createConnection>>;
}

/** User 42 of the client acme, with a linked account. */
export async function plant(panel: TestPanel, options: ConnectionOptions = {}): Promise<Planted> {
  const service: TestService = { ...panel.service, clock: new TestClock(new Date()) };
  const registrations = await createRegistrations(service);
  const tenantKeys = ["tenant-1"];
  const created = await createApplication(service, "acme", { tenantKeys });
  const application = { ...created, scope: { ...created.scope, externalSubjectId: "42" } };
  const connection = await createConnection(service, application, registrations, options);
  return { service, application, registrations, connection };
}
