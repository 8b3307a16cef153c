import type { ConnectInput } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { createConnectSession } from "../connect/createConnectSession.ts";
import { disconnectConnection } from "../disconnect/disconnectConnection.ts";
import { createIdentitySession } from "../identity/createIdentitySession.ts";
import { enqueueInitialReads } from "../jobs/enqueueBackgroundReads.ts";
import { readSyncJob } from "../jobs/readSyncJob.ts";
import { type RefreshRequest, requestRefresh } from "../jobs/requestRefresh.ts";
import type { Service } from "../service.ts";
import { IDENTITY_RETURN_URL, RETURN_URL, type TestApplication } from "./builders.ts";
import { scopeOf } from "./connections.ts";

export function startConnect(service: Service, { caller, scope }: TestApplication, input: Partial<ConnectInput> = {}) {
  return createConnectSession(service, caller, {
    scope,
    provider: "PROVIDER_A",
    capabilities: ["PROFILE"],
    returnUrl: RETURN_URL,
    ...input,
  });
}

export function startIdentity(service: Service, { caller, tenantKey }: TestApplication) {
  return createIdentitySession(service, caller, { tenantKey, returnUrl: IDENTITY_RETURN_URL });
}

export function refresh(
  service: Service,
  { caller }: TestApplication,
  connection: Connection,
  request: Partial<RefreshRequest> = {},
) {
  return requestRefresh(service, caller, { scope: scopeOf(connection), connectionId: connection.id, ...request });
}

export function readJob(service: Service, { caller }: TestApplication, connection: Connection, id: string) {
  return readSyncJob(service, caller, { scope: scopeOf(connection), connectionId: connection.id, id });
}

export function disconnect(service: Service, { caller }: TestApplication, connection: Connection) {
  return disconnectConnection(service, caller, scopeOf(connection), connection.id);
}

/** The reads that the service itself starts after a consent. */
export async function startInitialReads(service: Service, connection: Connection): Promise<void> {
  const now = await service.clock.now();
  await service.prisma.$transaction((transaction) => enqueueInitialReads(service, transaction, connection, now));
}
