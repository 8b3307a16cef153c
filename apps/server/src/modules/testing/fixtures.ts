/** What the tests of a file share, and what each test gets. A file calls the `use` function of what it needs. */
import type { SocialProvider } from "@social-connect/contract";
import { beforeAll, beforeEach } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { RefreshRequest } from "../jobs/requestRefresh.ts";
import { createApplication, createRegistrations, type TestApplication } from "./builders.ts";
import * as calls from "./calls.ts";
import { type ConnectionOptions, createConnection } from "./connections.ts";
import { runScan } from "./tasks.ts";
import { startTestService, type TestService } from "./testService.ts";

export let service: TestService;
export let registrations: Record<SocialProvider, string>;
export let application: TestApplication;
export let connection: Connection;
/** How many tests have started, for names that must be unique. */
export let testNumber = 0;

export function useService(): void {
  beforeAll(async () => {
    service = await startTestService();
    return service.close;
  });
}

function useRegistrations(): void {
  useService();
  beforeAll(async () => {
    registrations = await createRegistrations(service);
  });
}

export function useApplication(): void {
  useRegistrations();
  beforeAll(async () => {
    application = await createApplication(service);
  });
}

/** Before each test it creates an application and resets the fake providers. */
export function useApplicationPerTest(): void {
  useRegistrations();
  beforeEach(async () => {
    testNumber += 1;
    application = await createApplication(service, `shop-${testNumber}`);
    for (const fake of Object.values(service.fakes)) fake.reset();
  });
}

export function useConnectionPerTest(): void {
  useApplicationPerTest();
  beforeEach(() => useConnection());
}

export async function useConnection(options?: ConnectionOptions): Promise<void> {
  connection = await connect(options);
}

export function connect(options?: ConnectionOptions): Promise<Connection> {
  return createConnection(service, application, registrations, options);
}

export function refresh(request: Partial<RefreshRequest> = {}) {
  return calls.refresh(service, application, connection, request);
}

export async function scan(request?: Partial<RefreshRequest>): Promise<string> {
  const { id } = await refresh(request);
  await runScan(service, id);
  return id;
}

export const disconnect = () => calls.disconnect(service, application, connection);
export const readJob = (id: string) => calls.readJob(service, application, connection, id);
export const storedJob = (id: string) => service.prisma.job.findFirstOrThrow({ where: { id } });
export const storedConnection = () => service.prisma.connection.findFirstOrThrow({ where: { id: connection.id } });
export const storedPost = (providerContentId: string) =>
  service.prisma.contentItem.findFirst({ where: { connectionId: connection.id, providerContentId } });
/** Newest first. */
export const storedPosts = () =>
  service.prisma.contentItem.findMany({
    where: { connectionId: connection.id },
    orderBy: { publishedAt: "desc" },
  });
