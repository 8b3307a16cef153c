import { LIMITS, type SocialProvider } from "@social-connect/contract";
import { addMs, type NewRevocation, type RevocationKey } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { deletionSweep, timestamp } from "../sweeps/sweep.ts";

type Client = Service["prisma"] | Transaction;

/** Records that the grants with these keys are being revoked at the provider. Starting it again reopens it. */
export async function beginRevocation(transaction: Transaction, revocation: NewRevocation): Promise<void> {
  const { id, applicationId, provider, keys, endedAt } = revocation;
  await transaction.$executeRaw`
    INSERT INTO provider_revocation (revocation_id, key_hash, application_id, provider, ended_at)
    SELECT ${id}::uuid, decode(hash, 'hex'), ${applicationId}::uuid, ${provider}::social_provider,
           ${endedAt?.toISOString() ?? null}::timestamptz
      FROM unnest(${hashesOf(keys)}::text[]) AS hash
    ON CONFLICT (revocation_id, key_hash, application_id) DO UPDATE SET ended_at = excluded.ended_at, generation = excluded.generation`;
}

/** Records the end of a revocation. It affects exchanges that started earlier. */
export async function endRevocation(transaction: Transaction, { id, applicationId }: RowKey, now: Date): Promise<void> {
  // A separate statement, because Citus accepts no volatile function in an UPDATE.
  const generation = await nextRevocationGeneration(transaction);
  await transaction.$executeRaw`
    UPDATE provider_revocation SET ended_at = ${now.toISOString()}::timestamptz, generation = ${generation}
     WHERE revocation_id = ${id}::uuid AND application_id = ${applicationId}::uuid AND ended_at IS NULL`;
}

/** Advances the revocation counter: called before a provider call, for comparison afterwards. */
export async function nextRevocationGeneration(client: Client): Promise<bigint> {
  const [row] = await client.$queryRaw<{ generation: bigint }[]>`
    SELECT nextval(pg_get_serial_sequence('provider_revocation', 'generation')) AS generation`;
  if (row === undefined) throw new Error("The revocation counter returned no row.");
  return row.generation;
}

/**
 * Finds a revocation that may have ended a grant with one of these keys since `since`; see `isConcernedByRevocation`.
 * Returns one in progress first. Locks the row, so that the revocation cannot end during the transaction.
 */
export async function findRevocationSince(
  transaction: Transaction,
  applicationId: string,
  keys: readonly RevocationKey[],
  since: bigint,
): Promise<{ readonly id: string; readonly isEnded: boolean } | null> {
  const rows = await transaction.$queryRaw<{ id: string; isEnded: boolean }[]>`
    SELECT revocation_id AS id, ended_at IS NOT NULL AS "isEnded" FROM provider_revocation
     WHERE application_id = ${applicationId}::uuid
       AND key_hash IN (SELECT decode(hash, 'hex') FROM unnest(${hashesOf(keys)}::text[]) AS hash)
       AND (ended_at IS NULL OR generation > ${since})
     FOR SHARE`;
  return rows.find(({ isEnded }) => !isEnded) ?? rows[0] ?? null;
}

/** Whether any grant of the application at the provider was being revoked since `since`. */
export async function wasRevokingSince(
  client: Client,
  applicationId: string,
  provider: SocialProvider,
  since: bigint,
): Promise<boolean> {
  const count = await client.providerRevocation.count({
    where: { applicationId, provider, OR: [{ endedAt: null }, { generation: { gt: since } }] },
  });
  return count > 0;
}

/** Revocations that ended before every unfinished connect attempt started. */
export const DELETE_ENDED_REVOCATIONS = deletionSweep("deleteEndedRevocations", {
  table: "provider_revocation",
  id: "revocation_id",
  order: "ended_at",
  due: (now) => Prisma.sql`ended_at <= ${timestamp(addMs(now, -LIMITS.connectDeadlineMs))}`,
});

function hashesOf(keys: readonly RevocationKey[]): string[] {
  return keys.map((key) => Buffer.from(sha256(JSON.stringify(key))).toString("hex"));
}
