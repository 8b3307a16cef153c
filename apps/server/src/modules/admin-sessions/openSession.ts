import { addMs, isSessionAlive, SESSION_LIFETIME_MS } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import type { Service } from "../service.ts";
import { recordSession } from "./session.ts";

export interface OpenedSession {
  readonly sessionId: string;
  readonly memberId: string;
  /** For the browser's cookie; its hash is stored. */
  readonly token: Secret;
}

/** Opens a session, with the audit entry of the sign-in. */
export async function openSession(
  service: Pick<Service, "prisma">,
  member: AdminMember,
  authenticatedAt: Date,
  now: Date,
): Promise<OpenedSession> {
  const [sessionId, token] = [newId(), newSecretHex()];
  await adminTransaction(service, async (transaction) => {
    await transaction.adminSession.create({
      data: {
        id: sessionId,
        memberId: member.id,
        tokenHash: sha256(token),
        authenticatedAt: notAfter(authenticatedAt, now),
        createdAt: now,
        lastSeenAt: now,
        expiresAt: addMs(now, SESSION_LIFETIME_MS),
      },
    });
    await recordSession(transaction, member, "Admin signed in", now);
  });
  return { sessionId, memberId: member.id, token: new Secret(token) };
}

/**
 * Notes that the session's own person proved again who they are, and gives the session another token. null when the session has
 * ended, or someone else came back. How long it lasts does not change.
 */
export async function confirmSession(
  service: Pick<Service, "prisma">,
  {
    sessionId,
    member,
    authenticatedAt,
    now,
  }: { readonly sessionId: string; readonly member: AdminMember; readonly authenticatedAt: Date; readonly now: Date },
): Promise<OpenedSession | null> {
  const token = newSecretHex();
  return adminTransaction(service, async (transaction) => {
    const session = await transaction.adminSession.findFirst({ where: { id: sessionId, memberId: member.id } });
    if (session === null || !isSessionAlive(session, now)) return null;
    const { count } = await transaction.adminSession.updateMany({
      where: { id: session.id },
      data: { tokenHash: sha256(token), authenticatedAt: notAfter(authenticatedAt, now), lastSeenAt: now },
    });
    if (count === 0) return null;
    await recordSession(transaction, member, "Admin confirmed", now);
    return { sessionId, memberId: member.id, token: new Secret(token) };
  });
}

/** An issuer whose clock is ahead must not make a sign-in younger than it is. */
function notAfter(moment: Date, now: Date): Date {
  return moment > now ? now : moment;
}
