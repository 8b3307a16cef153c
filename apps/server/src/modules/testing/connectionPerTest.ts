/** The environment of tests about one connection, created before each test: its reads, and what is stored of it. */
import { beforeEach } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { RefreshRequest } from "../jobs/requestRefresh.ts";
import { application, connect, service, useApplicationPerTest } from "./applicationPerTest.ts";
import * as calls from "./calls.ts";
import type { ConnectionOptions } from "./connections.ts";
import { runScan } from "./tasks.ts";

export let connection: Connection;

/** Creates a service for the tests of a file, and an application and a connection for each test. */
export function useConnectionPerTest(): void {
  useApplicationPerTest();
  beforeEach(() => useConnection());
}

export async function useConnection(options?: ConnectionOptions): Promise<void> {
  connection = await connect(options);
}

export function refresh(request: Partial<RefreshRequest> = {}) {
  return calls.refresh(service, application, connection, request);
}

export async function scan(request?: Partial<RefreshRequest>): Promise<string> {
  const { id } = await refresh(request);
  await runScan(service, id);
  return id;
}

export function disconnect() {
  return calls.disconnect(service, application, connection);
}

export function readJob(id: string) {
  return calls.readJob(service, application, connection, id);
}

export function storedJob(id: string) {
  return service.prisma.job.findFirstOrThrow({ where: { id } });
}

export function storedConnection() {
  return service.prisma.connection.findFirstOrThrow({ where: { id: connection.id } });
}

export function storedPost(providerContentId: string) {
  return service.prisma.contentItem.findFirst({ where: { connectionId: connection.id, providerContentId } });
}

/** Newest first. */
export function storedPosts() {
  const where = { connectionId: connection.id };
  return service.prisma.contentItem.findMany({ where, orderBy: { publishedAt: "desc" } });
}
