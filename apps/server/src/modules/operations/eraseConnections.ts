import { addCounts, type DeletedCounts, purgeBefore, type Touched, touchedChanges } from "@social-connect/domain";
import type { Connection, Prisma, Tester } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { type AdminActor, SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { suspendedByDisconnects } from "../disconnect/disconnectConnection.ts";
import { eraseEventsOfAttempts } from "../events/eraseEvents.ts";
import { forgetImportLines } from "../imports/forgetLines.ts";
import type { Service } from "../service.ts";
import { LOWEST_ID } from "../sweeps/sweep.ts";
import { disconnectAll, type FailedDisconnect } from "./disconnectAll.ts";
import {
  type Disconnected,
  type ErasureReceipt,
  findDisconnected,
  findDisconnectedOf,
  readReceipts,
} from "./erasureReceipts.ts";

/** Which connections are erased: all of an application, of one of its tenants, or of one subject. */
export interface ErasureScope {
  readonly application: { readonly id: string; readonly slug: string };
  readonly tenantKey: string | null;
  readonly externalSubjectId: string | null;
}

/** Rows that the erasure concerns. */
export type ErasureSize = Awaited<ReturnType<typeof measureErasure>>;

export interface ErasureReport {
  /** The receipts of this erasure; for a client or a subject also those of the last week, for example of an earlier run. */
  readonly receipts: readonly ErasureReceipt[];
  /** Earlier erasures of this tenant within a week that found connections: their reports have receipts that this one lacks. */
  readonly earlier: readonly Date[];
  /** Connections that could not be disconnected; repeat the erasure. */
  readonly failed: readonly FailedDisconnect[];
  /** Connections and attempts that are left. */
  readonly pending: number;
  /** Sum of the receipts, and the attempts that were deleted. */
  readonly deleted: DeletedCounts;
  /** Testers whose accounts another subject has linked, too: they stay. */
  readonly keptTesters: number;
}

export interface ErasureOptions {
  /** Waits before the rows that are left are counted again; false ends the waiting. */
  readonly wait: (pending: number) => Promise<boolean>;
  /** Who asked for it, and why; absent: the command line. */
  readonly by?: { readonly actor: AdminActor; readonly reason: string };
}

const BATCH = 100;

export async function measureErasure({ prisma }: Pick<Service, "prisma">, scope: ErasureScope) {
  const where = rowsOf(scope);
  return {
    connections: await prisma.connection.count({ where }),
    connectAttempts: await prisma.connectAttempt.count({ where }),
    identityAttempts: await prisma.identityAttempt.count({ where: identityRowsOf(scope) }),
  };
}

/** What an erasure touches: workers erase the connections with their posts later. */
export async function touchedByErasure(
  service: Pick<Service, "prisma" | "clock">,
  scope: ErasureScope,
): Promise<Touched> {
  const { connections, connectAttempts, identityAttempts } = await measureErasure(service, scope);
  const { own, kept } = await findTesters(service.prisma, scope);
  return {
    connections,
    posts: await service.prisma.contentItem.count({ where: { connection: rowsOf(scope) } }),
    ...(await countSuspended(service, scope)),
    attempts: connectAttempts + identityAttempts,
    testers: own.length,
    keptTesters: kept.length,
  };
}

/** The connections outside the scope that the disconnects suspend, for example those of another user to the same account. */
async function countSuspended(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  scope: ErasureScope,
): Promise<Touched> {
  // A disconnect suspends connections of its client only.
  if (scope.tenantKey === null && scope.externalSubjectId === null) return {};
  const now = await clock.now();
  const suspended = new Set<string>();
  for await (const connections of batchesOf(prisma, scope)) {
    const filters = suspendedByDisconnects(connections, now);
    if (filters.length === 0) continue;
    const where = { applicationId: scope.application.id, OR: filters, NOT: rowsOf(scope) };
    for (const { id } of await prisma.connection.findMany({ where, select: { id: true } })) suspended.add(id);
  }
  return suspended.size === 0 ? {} : { suspendedConnections: suspended.size };
}

/**
 * Disconnects every connection of the scope, which revokes and erases it, and deletes the scope's attempts, until nothing is
 * left or the waiting ends. It does not ask whether the application still has the tenant. Safe to repeat: a connection that is
 * disconnected already keeps its jobs.
 */
export async function eraseConnections(
  service: Service,
  scope: ErasureScope,
  { wait, by }: ErasureOptions,
): Promise<ErasureReport> {
  const earlier = await findEarlier(service, scope);
  const touched = await touchedByErasure(service, scope);
  await record(service, scope, touched, by);
  const disconnected = new Map<string, Disconnected>();
  let deleted: DeletedCounts = {};
  const { keptTesters = 0 } = touched;
  for (;;) {
    deleted = addCounts(deleted, await deleteTesters(service, scope));
    // People may link accounts in the meantime.
    const failed = await disconnectAll(service, connectionsOf(service, scope), disconnected);
    deleted = addCounts(deleted, await deleteAttempts(service, scope));
    for (const ended of await findEnded(service, scope)) disconnected.set(ended.connectionId, ended);
    const receipts = await readReceipts(service, [...disconnected.values()]);
    const left = await measureErasure(service, scope);
    const pending = left.connections + left.connectAttempts + left.identityAttempts;
    if (pending === 0 || !(await wait(pending))) {
      const counts = receipts.map(({ erase }) => erase.deletedCounts);
      return { receipts, earlier, failed, pending, deleted: counts.reduce(addCounts, deleted), keptTesters };
    }
  }
}

async function* connectionsOf({ prisma }: Service, scope: ErasureScope): AsyncGenerator<Connection, void, undefined> {
  for await (const connections of batchesOf(prisma, scope)) yield* connections;
}

async function* batchesOf(
  prisma: Service["prisma"],
  scope: ErasureScope,
): AsyncGenerator<readonly Connection[], void, undefined> {
  let after = LOWEST_ID;
  for (;;) {
    const connections = await prisma.connection.findMany({
      where: { ...rowsOf(scope), id: { gt: after } },
      orderBy: { id: "asc" },
      take: BATCH,
    });
    yield connections;
    const last = connections.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * An attempt before its code exchange ends here: its pages no longer work. An attempt that exchanges a code ends first, and
 * an attempt with a grant remains until the worker has revoked it. Their events end with them.
 */
async function deleteAttempts({ prisma }: Service, scope: ErasureScope): Promise<DeletedCounts> {
  const connect = await prisma.connectAttempt.deleteMany({
    where: { ...rowsOf(scope), status: { not: "EXCHANGING" }, grant: null },
  });
  const identity = await prisma.identityAttempt.deleteMany({ where: identityRowsOf(scope) });
  const events = await eraseEventsOfAttempts(prisma, rowsOf(scope));
  const lines = await forgetImportLines(prisma, rowsOf(scope));
  return {
    connect_attempt: connect.count,
    identity_attempt: identity.count,
    ...(events > 0 && { event: events }),
    ...(lines > 0 && { import_line: lines }),
  };
}

async function deleteTesters({ prisma }: Service, scope: ErasureScope): Promise<DeletedCounts> {
  let tester = 0;
  for (const account of (await findTesters(prisma, scope)).own) {
    tester += (await prisma.tester.deleteMany({ where: account })).count;
  }
  return tester === 0 ? {} : { tester };
}

/** The testers among the accounts of a subject: its own, and those that stay because another subject of the client has linked the same. */
async function findTesters(prisma: Service["prisma"], scope: ErasureScope) {
  const testers: Record<"own" | "kept", Pick<Tester, "applicationId" | "provider" | "providerAccountId">[]> = {
    own: [],
    kept: [],
  };
  if (scope.externalSubjectId === null) return testers;
  const select = { applicationId: true, provider: true, providerAccountId: true } as const;
  const accounts = await prisma.connection.findMany({
    where: rowsOf(scope),
    select,
    distinct: ["provider", "providerAccountId"],
  });
  for (const account of accounts) {
    if ((await prisma.tester.count({ where: account })) === 0) continue;
    const others = await prisma.connection.count({ where: { ...account, NOT: rowsOf(scope) } });
    testers[others > 0 ? "kept" : "own"].push(account);
  }
  return testers;
}

/** Connections of the scope that workers have erased already. A receipt names no tenant, so those of a tenant are not found. */
async function findEnded(
  service: Service,
  { application: { id: applicationId }, tenantKey, externalSubjectId }: ErasureScope,
): Promise<Disconnected[]> {
  if (tenantKey !== null && externalSubjectId === null) return [];
  if (tenantKey === null || externalSubjectId === null) return findDisconnected(service, { applicationId });
  return findDisconnectedOf(service, applicationId, { tenantKey, externalSubjectId });
}

async function findEarlier(service: Service, scope: ErasureScope): Promise<Date[]> {
  if (scope.tenantKey === null || scope.externalSubjectId !== null) return [];
  const entries = await service.prisma.auditEntry.findMany({
    where: {
      ...{
        action: ACTION,
        targetId: scope.application.id,
        summary: { endsWith: ` connections of ${describeScope(scope)}.` },
      },
      ...{
        at: { gte: purgeBefore("receipt", await service.clock.now()) },
        NOT: { summary: { contains: " 0 connections " } },
      },
    },
    orderBy: { at: "asc" },
    select: { at: true },
  });
  return entries.map(({ at }) => at);
}

const ACTION = "Erasure requested";

async function record(
  service: Service,
  scope: ErasureScope,
  touched: Touched,
  by: ErasureOptions["by"],
): Promise<void> {
  const { application } = scope;
  const reason = by === undefined ? "" : ` Reason: ${by.reason}`;
  await recordAudit(service.prisma, by?.actor ?? SYSTEM, await service.clock.now(), {
    action: ACTION,
    target: { type: "CLIENT", id: application.id },
    clientSlug: application.slug,
    summary: `Requested the erasure of ${touched.connections} connections of ${describeScope(scope)}.${reason}`,
    changes: touchedChanges(touched),
  });
}

/** Names no tenant and no subject, because the audit entry outlives them: it has a hash to compare with. */
export function describeScope({ tenantKey, externalSubjectId }: Omit<ErasureScope, "application">): string {
  const parts = [tenantKey, externalSubjectId].filter((part) => part !== null);
  const hash = Buffer.from(sha256(JSON.stringify(parts)))
    .toString("hex")
    .slice(0, HASH_CHARACTERS);
  return tenantKey === null
    ? "the client"
    : `one ${externalSubjectId === null ? "tenant" : "subject"} (SHA-256 ${hash}…)`;
}

const HASH_CHARACTERS = 12;

function rowsOf({ application, tenantKey, externalSubjectId }: ErasureScope) {
  return {
    applicationId: application.id,
    ...(tenantKey !== null && { tenantKey }),
    ...(externalSubjectId !== null && { externalSubjectId }),
  };
}

/** A sign-in names no subject before it ends, so those of the whole tenant are deleted only with the tenant. */
function identityRowsOf({ application, tenantKey, externalSubjectId }: ErasureScope): Prisma.IdentityAttemptWhereInput {
  if (externalSubjectId !== null) return { id: { in: [] } };
  return { applicationId: application.id, ...(tenantKey !== null && { tenantKey }) };
}
