import type { SocialProvider } from "@social-connect/contract";
import type { AuditAction } from "@social-connect/domain";
import { describeScope } from "../operations/eraseConnections.ts";
import { type Disconnected, findDisconnectedOf } from "../operations/erasureReceipts.ts";
import type { Service } from "../service.ts";

/** One subject of one client. */
export interface PersonScope {
  readonly application: { readonly id: string; readonly slug: string };
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** What leads to the rows of a person. */
export interface Person extends PersonScope {
  readonly accounts: readonly PersonAccount[];
  /** Connections of which receipts are stored: of accounts that are being erased, and of the erasures of the last week. */
  readonly disconnected: readonly Disconnected[];
  /** The ids of `connections` and `disconnected`. */
  readonly connectionIds: readonly string[];
  readonly attemptIds: readonly string[];
  readonly importLineIds: readonly string[];
  /** Ids of connections and jobs, as audit entries name them. */
  readonly auditTargets: readonly string[];
  /** How audit entries name the person. */
  readonly label: string;
  readonly actions: readonly AuditAction[];
}

interface PersonAccount {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

/** The audit entries that name a person by a hash. */
const ACTIONS = ["Person viewed", "Person exported", "Erasure requested"] as const satisfies readonly AuditAction[];

/** Each statement has its index; a person has few connections. */
export async function findPerson({ prisma }: Pick<Service, "prisma">, scope: PersonScope): Promise<Person> {
  const { application, tenantKey, externalSubjectId } = scope;
  const applicationId = application.id;
  const where = { applicationId, tenantKey, externalSubjectId };
  const [accounts, attempts, imports, disconnected] = await Promise.all([
    prisma.connection.findMany({ where, select: { id: true, provider: true, providerAccountId: true } }),
    prisma.connectAttempt.findMany({ where, select: { id: true } }),
    prisma.importLine.findMany({ where, select: { id: true } }),
    findDisconnectedOf({ prisma }, applicationId, { tenantKey, externalSubjectId }),
  ]);
  const ids = [...accounts.map(({ id }) => id), ...disconnected.map(({ connectionId }) => connectionId)];
  const connectionIds = [...new Set(ids)];
  const jobs = await prisma.job.findMany({
    where: { applicationId, connectionId: { in: connectionIds } },
    select: { id: true },
  });
  return {
    ...scope,
    accounts,
    disconnected,
    connectionIds,
    attemptIds: attempts.map(({ id }) => id),
    importLineIds: imports.map(({ id }) => id),
    auditTargets: [...connectionIds, ...jobs.map(({ id }) => id)],
    label: describeScope(scope),
    actions: ACTIONS,
  };
}
