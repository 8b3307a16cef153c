import type { DeletedCounts, SubjectScope } from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";

/** A connection that was disconnected, with its jobs. */
export interface Disconnected {
  readonly connectionId: string;
  readonly applicationId: string;
  readonly provider: string;
  readonly revokeJobId: string;
  readonly eraseJobId: string;
}

interface JobState {
  readonly id: string;
  readonly status: string;
  readonly errorCode: string | null;
}

/** What happened to one connection. */
export interface ErasureReceipt {
  readonly connectionId: string;
  readonly provider: string;
  readonly revoke: JobState & {
    /** What the person has to do, where the provider cannot revoke. */
    readonly creatorAction: string | null;
  };
  readonly erase: JobState & { readonly deletedCounts: DeletedCounts };
}

const BATCH = 100;
const RECEIPT = { id: true, status: true, errorCode: true, creatorAction: true, deletedCounts: true } as const;

type ReceiptJob = Prisma.JobGetPayload<{ select: typeof RECEIPT }>;

/** The receipts of connections in their order. */
export async function readReceipts(
  { prisma }: Pick<Service, "prisma">,
  disconnected: readonly Disconnected[],
): Promise<ErasureReceipt[]> {
  const jobs = new Map<string, ReceiptJob>();
  for (let start = 0; start < disconnected.length; start += BATCH) {
    const batch = disconnected.slice(start, start + BATCH);
    const ids = batch.flatMap(({ revokeJobId, eraseJobId }) => [revokeJobId, eraseJobId]);
    const applicationIds = [...new Set(batch.map(({ applicationId }) => applicationId))];
    const where = { applicationId: { in: applicationIds }, id: { in: ids } };
    for (const job of await prisma.job.findMany({ where, select: RECEIPT })) jobs.set(job.id, job);
  }
  return disconnected.map(({ connectionId, provider, revokeJobId, eraseJobId }) => {
    const [revoke, erase] = [jobs.get(revokeJobId), jobs.get(eraseJobId)];
    return {
      connectionId,
      provider,
      revoke: { ...stateOf(revokeJobId, revoke), creatorAction: revoke?.creatorAction ?? null },
      erase: { ...stateOf(eraseJobId, erase), deletedCounts: (erase?.deletedCounts ?? {}) as DeletedCounts },
    };
  });
}

/** The connections that have both receipts, in the order of their ids. */
export async function findDisconnected(
  { prisma }: Pick<Service, "prisma">,
  where: Prisma.JobWhereInput,
): Promise<Disconnected[]> {
  const jobs = await prisma.job.findMany({
    where: { ...where, kind: { in: ["REVOKE", "ERASE"] } },
    orderBy: [{ connectionId: "asc" }, { createdAt: "asc" }],
    select: { id: true, kind: true, connectionId: true, applicationId: true, provider: true },
  });
  const revokes = new Map(jobs.filter(({ kind }) => kind === "REVOKE").map((job) => [job.connectionId, job.id]));
  return jobs.flatMap(({ id: eraseJobId, kind, ...job }) => {
    const revokeJobId = revokes.get(job.connectionId);
    return kind === "ERASE" && revokeJobId !== undefined ? [{ ...job, revokeJobId, eraseJobId }] : [];
  });
}

/** Finds the disconnected connections of a subject. A receipt names its subject only by a hash with the connection's id as its salt, see `scopeHash`. */
export async function findDisconnectedOf(
  { prisma }: Pick<Service, "prisma">,
  applicationId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
): Promise<Disconnected[]> {
  const scope = JSON.stringify([tenantKey, externalSubjectId]).slice(1);
  const receipts = await prisma.$queryRaw<{ connectionId: string }[]>`
    SELECT connection_id AS "connectionId" FROM job
     WHERE application_id = ${applicationId}::uuid AND kind = 'ERASE'
       AND scope_hash = sha256(convert_to('["' || connection_id || '",' || ${scope}, 'UTF8'))`;
  if (receipts.length === 0) return [];
  const connectionId = { in: receipts.map((receipt) => receipt.connectionId) };
  return findDisconnected({ prisma }, { applicationId, connectionId });
}

/** A receipt that was purged had ended. */
function stateOf(id: string, job: ReceiptJob | undefined): JobState {
  return { id, status: job?.status ?? "PURGED", errorCode: job?.errorCode ?? null };
}
