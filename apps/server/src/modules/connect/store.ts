import type { ConnectResultCode, SocialProvider } from "@social-connect/contract";
import type { AttemptPatch, SubjectScope } from "@social-connect/domain";
import { isUnfinished, UNFINISHED_STATUSES } from "@social-connect/domain";
import type { Pool } from "pg";
import type { ConnectAttempt, Prisma } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";

type Client = Service["prisma"] | Transaction;

/** Deadlines of the subject's unfinished attempts at a provider, earliest first. */
export async function findUnfinishedDeadlines(
  client: Client,
  applicationId: string,
  scope: SubjectScope,
  provider: SocialProvider,
  now: Date,
): Promise<Date[]> {
  const rows = await client.connectAttempt.findMany({
    where: {
      applicationId,
      ...subject(scope),
      provider,
      status: { in: [...UNFINISHED_STATUSES] },
      expiresAt: { gt: now },
    },
    select: { expiresAt: true },
    orderBy: { expiresAt: "asc" },
  });
  return rows.map((row) => row.expiresAt);
}

/** An attempt with its result. `resultCode` contains only codes of the contract, which `moveAttempt` writes. */
export type AttemptResultRow = Pick<
  ConnectAttempt,
  "id" | "provider" | "status" | "connectionId" | "creatorAction" | "createdAt" | "expiresAt" | "resultExpiresAt"
> & { readonly resultCode: ConnectResultCode | null };

/** Raw SQL, because backends poll this while the user is at the provider. */
export async function findAttemptResult(
  pool: Pool,
  applicationId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string,
): Promise<AttemptResultRow | null> {
  const { rows } = await pool.query<AttemptResultRow>({
    name: "connect.findAttemptResult",
    text: `SELECT id, provider::text AS provider, status::text AS status, result_code AS "resultCode",
                  connection_id AS "connectionId", creator_action::text AS "creatorAction", created_at AS "createdAt",
                  expires_at AS "expiresAt", result_expires_at AS "resultExpiresAt"
             FROM connect_attempt
            WHERE id = $1 AND application_id = $2 AND tenant_key = $3 AND external_subject_id = $4`,
    values: [id, applicationId, tenantKey, externalSubjectId],
  });
  return rows[0] ?? null;
}

/** Locks the attempt's row to serialize concurrent browsers and callbacks. */
export async function lockAttempt(transaction: Transaction, id: string): Promise<ConnectAttempt | null> {
  await transaction.$queryRaw`SELECT 1 FROM connect_attempt WHERE id = ${id}::uuid FOR UPDATE`;
  return transaction.connectAttempt.findUnique({ where: { id } });
}

/**
 * Writes what the domain decided of an attempt; null changes nothing. The caller holds `lockAttempt`. An attempt that has
 * ended no longer needs its verifier.
 */
export async function changeAttempt(
  transaction: Transaction,
  attempt: ConnectAttempt,
  patch: AttemptPatch | null,
  secrets: Prisma.ConnectAttemptUncheckedUpdateInput = {},
): Promise<ConnectAttempt> {
  if (patch === null) return attempt;
  const hasEnded = patch.status !== undefined && !isUnfinished(patch.status);
  const data = { ...patch, ...secrets, ...(hasEnded && { codeVerifierSealed: null }) };
  return transaction.connectAttempt.update({ where: { id: attempt.id }, data });
}

/** Whether a disconnect of the subject's account at the provider is still settling. */
export async function isRevokeSettling(
  client: Client,
  applicationId: string,
  scope: SubjectScope,
  provider: SocialProvider,
): Promise<boolean> {
  return (await client.revokeSettlement.count({ where: { applicationId, ...subject(scope), provider } })) > 0;
}

export function subject(scope: SubjectScope): { tenantKey: string; externalSubjectId: string } {
  return { tenantKey: scope.tenantKey, externalSubjectId: scope.externalSubjectId };
}
