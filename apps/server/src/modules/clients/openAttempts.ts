import type { EndAttempts, OpenAttempts } from "@social-connect/domain";
import type { Transaction } from "../service.ts";

const UNFINISHED = ["CREATED", "AUTHORIZING", "EXCHANGING"] as const;

/** A client's unfinished attempts before their deadline, in groups of those that are alike. */
export async function readOpenAttempts(
  transaction: Transaction,
  client: { readonly id: string } | null,
  now: Date,
): Promise<OpenAttempts> {
  if (client === null) return { connect: [], identity: [] };
  const open = { applicationId: client.id, expiresAt: { gt: now } };
  const connect = await transaction.connectAttempt.groupBy({
    by: ["status", "provider", "returnUrl"],
    where: { ...open, status: { in: [...UNFINISHED] } },
    _count: true,
  });
  const identity = await transaction.identityAttempt.groupBy({
    by: ["returnUrl"],
    where: { ...open, status: "PENDING" },
    _count: true,
  });
  return {
    connect: connect.map(({ _count: count, ...group }) => ({ ...group, count })),
    identity: identity.map(({ _count: count, ...group }) => ({ ...group, count })),
  };
}

/** The caller holds the lock of the application's row. */
export async function endAttempts(
  transaction: Transaction,
  applicationId: string,
  { type, attempts, patch }: EndAttempts,
  now: Date,
): Promise<void> {
  const { count: _, ...group } = attempts;
  const open = { applicationId, expiresAt: { gt: now }, ...group };
  if (type === "END_IDENTITY_ATTEMPTS") {
    const where = { ...open, status: "PENDING" } as const;
    await transaction.identityAttempt.updateMany({ where, data: { ...patch, exchangeSealed: null } });
    return;
  }
  // An attempt that failed keeps its verifier: it revokes the grant of a code that arrives late.
  const verifier = patch.status === "CANCELED" ? { codeVerifierSealed: null } : {};
  await transaction.connectAttempt.updateMany({ where: open, data: { ...patch, ...verifier } });
}
