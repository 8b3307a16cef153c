import { type EndAttempts, type OpenAttempts, UNFINISHED_STATUSES } from "@social-connect/domain";
import type { Transaction } from "../service.ts";

/** The kinds of a client's unfinished attempts before their deadline. */
export async function readOpenAttempts(
  transaction: Transaction,
  client: { readonly id: string } | null,
  now: Date,
): Promise<OpenAttempts> {
  if (client === null) return { connect: [], identity: [] };
  const open = { applicationId: client.id, expiresAt: { gt: now } };
  const connect = await transaction.connectAttempt.groupBy({
    by: ["status", "provider", "returnUrl"],
    where: { ...open, status: { in: [...UNFINISHED_STATUSES] } },
  });
  const identity = await transaction.identityAttempt.groupBy({
    by: ["returnUrl"],
    where: { ...open, status: "PENDING" },
  });
  return { connect, identity };
}

/** Ends the attempts and returns their number. The caller holds the lock of the application's row. */
export async function endAttempts(
  transaction: Transaction,
  applicationId: string,
  { type, attempts, patch }: EndAttempts,
  now: Date,
): Promise<number> {
  const open = { applicationId, expiresAt: { gt: now }, ...attempts };
  if (type === "END_IDENTITY_ATTEMPTS") {
    const where = { ...open, status: "PENDING" } as const;
    return (await transaction.identityAttempt.updateMany({ where, data: { ...patch, exchangeSealed: null } })).count;
  }
  // A failed attempt keeps its verifier, to revoke the grant of a code that arrives late.
  const verifier = patch.status === "CANCELED" ? { codeVerifierSealed: null } : {};
  return (await transaction.connectAttempt.updateMany({ where: open, data: { ...patch, ...verifier } })).count;
}
