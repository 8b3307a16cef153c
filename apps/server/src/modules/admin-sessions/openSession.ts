import { addMs, isSessionAlive, SESSION_LIFETIME_MS } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import type { Service } from "../service.ts";

/** Opens a session; its token goes into the browser's cookie, its hash is kept. */
export async function openSession(
  { prisma }: Pick<Service, "prisma">,
  member: AdminMember,
  authenticatedAt: Date,
  now: Date,
): Promise<Secret> {
  const token = newSecretHex();
  await prisma.adminSession.create({
    data: {
      id: newId(),
      memberId: member.id,
      tokenHash: sha256(token),
      authenticatedAt: notAfter(authenticatedAt, now),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: addMs(now, SESSION_LIFETIME_MS),
    },
  });
  return new Secret(token);
}

/**
 * Notes that the session's own person proved anew who they are, and gives it another token. null when the session has
 * ended, or it was somebody else who came back. How long it lasts does not change.
 */
export async function confirmSession(
  { prisma }: Pick<Service, "prisma">,
  {
    sessionId,
    memberId,
    authenticatedAt,
    now,
  }: { readonly sessionId: string; readonly memberId: string; readonly authenticatedAt: Date; readonly now: Date },
): Promise<Secret | null> {
  const session = await prisma.adminSession.findFirst({ where: { id: sessionId, memberId } });
  if (session === null || !isSessionAlive(session, now)) return null;
  const token = newSecretHex();
  await prisma.adminSession.update({
    where: { id: session.id },
    data: { tokenHash: sha256(token), authenticatedAt: notAfter(authenticatedAt, now), lastSeenAt: now },
  });
  return new Secret(token);
}

/** An issuer whose clock is ahead must not make a sign-in younger than it is. */
function notAfter(moment: Date, now: Date): Date {
  return moment > now ? now : moment;
}
