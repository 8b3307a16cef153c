import type { DeletedCounts } from "@social-connect/domain";
import { addCounts } from "@social-connect/domain";
import type { Connection, Prisma } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { LOWEST_ID } from "../sweeps/sweep.ts";
import type { FailedDisconnect } from "./disconnectAll.ts";
import { disconnectAll } from "./disconnectAll.ts";
import type { Disconnected, ErasureReceipt } from "./erasureReceipts.ts";
import { readReceipts } from "./erasureReceipts.ts";

/** Which connections are erased: all of an application, of one of its tenants, or of one subject. */
export interface ErasureScope {
  readonly application: { readonly id: string; readonly slug: string };
  readonly tenantKey: string | null;
  readonly externalSubjectId: string | null;
}

/** Rows that the erasure concerns. */
export interface ErasureSize {
  readonly connections: number;
  readonly connectAttempts: number;
  readonly identityAttempts: number;
}

export interface ErasureReport {
  readonly receipts: readonly ErasureReceipt[];
  /** Connections that could not be disconnected; repeat the erasure. */
  readonly failed: readonly FailedDisconnect[];
  /** Connections and attempts that are left. */
  readonly pending: number;
  /** Sum of the receipts, and the attempts that were deleted. */
  readonly deleted: DeletedCounts;
}

export interface ErasureOptions {
  /** Waits before the rows that are left are counted again; false ends the waiting. */
  readonly wait: (pending: number) => Promise<boolean>;
}

const BATCH = 100;

export async function measureErasure({ prisma }: Pick<Service, "prisma">, scope: ErasureScope): Promise<ErasureSize> {
  const where = rowsOf(scope);
  return {
    connections: await prisma.connection.count({ where }),
    connectAttempts: await prisma.connectAttempt.count({ where }),
    identityAttempts: await prisma.identityAttempt.count({ where: identityRowsOf(scope) }),
  };
}

/**
 * Disconnects every connection of the scope, which revokes and erases it, and deletes the scope's attempts, until nothing is
 * left or the waiting ends. It does not ask whether the application still has the tenant. Safe to repeat: a connection that is
 * disconnected already keeps its jobs.
 */
export async function eraseConnections(
  service: Service,
  scope: ErasureScope,
  { wait }: ErasureOptions,
): Promise<ErasureReport> {
  await record(service, scope, await measureErasure(service, scope));
  const disconnected = new Map<string, Disconnected>();
  let deleted: DeletedCounts = {};
  for (;;) {
    // People may link accounts in the meantime.
    const failed = await disconnectAll(service, connectionsOf(service, scope), disconnected);
    deleted = addCounts(deleted, await deleteAttempts(service, scope));
    const receipts = await readReceipts(service, [...disconnected.values()]);
    const left = await measureErasure(service, scope);
    const pending = left.connections + left.connectAttempts + left.identityAttempts;
    if (pending === 0 || !(await wait(pending))) {
      const counts = receipts.map(({ erase }) => erase.deletedCounts);
      return { receipts, failed, pending, deleted: counts.reduce(addCounts, deleted) };
    }
  }
}

async function* connectionsOf({ prisma }: Service, scope: ErasureScope): AsyncGenerator<Connection, void, undefined> {
  let after = LOWEST_ID;
  for (;;) {
    const connections = await prisma.connection.findMany({
      where: { ...rowsOf(scope), id: { gt: after } },
      orderBy: { id: "asc" },
      take: BATCH,
    });
    yield* connections;
    const last = connections.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * An attempt before its code exchange ends here: its pages no longer work. An attempt that exchanges a code ends first, and
 * an attempt with a grant remains until the worker has revoked it.
 */
async function deleteAttempts({ prisma }: Service, scope: ErasureScope): Promise<DeletedCounts> {
  const connect = await prisma.connectAttempt.deleteMany({
    where: { ...rowsOf(scope), status: { not: "EXCHANGING" }, grant: null },
  });
  const identity = await prisma.identityAttempt.deleteMany({ where: identityRowsOf(scope) });
  return { connect_attempt: connect.count, identity_attempt: identity.count };
}

/** The entry names no tenant and no subject, because it outlives them: it has a hash to compare with. */
async function record(service: Service, scope: ErasureScope, { connections }: ErasureSize): Promise<void> {
  const { application, tenantKey, externalSubjectId } = scope;
  const parts = [tenantKey, externalSubjectId].filter((part) => part !== null);
  const hash = Buffer.from(sha256(JSON.stringify(parts)))
    .toString("hex")
    .slice(0, HASH_CHARACTERS);
  const what =
    tenantKey === null ? "the client" : `one ${externalSubjectId === null ? "tenant" : "subject"} (SHA-256 ${hash}…)`;
  await recordAudit(service.prisma, SYSTEM, await service.clock.now(), {
    action: "Erasure requested",
    target: { type: "CLIENT", id: application.id },
    clientSlug: application.slug,
    summary: `Requested the erasure of ${connections} connections of ${what}.`,
  });
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
