import { addMs, isSessionAlive } from "@social-connect/domain";
import { sha256 } from "../../platform/hash.ts";
import type { SessionActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";

export interface FoundSession extends SessionActor {
  readonly expiresAt: Date;
}

/** How exactly it is known when a session was last used: a session ends this much early at most. A page's calls write once. */
const LAST_SEEN_PRECISION_MS = 1_000;
const TOKEN = /^[0-9a-f]{64}$/;

/**
 * Who a session token belongs to; null when it is none, has ended, or its admin was removed. Nothing is cached, so a
 * session that is ended anywhere is dead at the next call everywhere.
 */
export async function findSession(service: Service, token: string | null): Promise<FoundSession | null> {
  if (token === null || !TOKEN.test(token)) return null;
  const session = await service.prisma.adminSession.findUnique({
    where: { tokenHash: sha256(token) },
    include: { member: true },
  });
  const now = await service.clock.now();
  if (session === null || !isSessionAlive(session, now)) return null;
  const { email, issuer, subject } = session.member;
  if (issuer === null || subject === null) return null;
  if (session.lastSeenAt < addMs(now, -LAST_SEEN_PRECISION_MS)) {
    await service.prisma.adminSession.updateMany({ where: { id: session.id }, data: { lastSeenAt: now } });
  }
  const { id: sessionId, memberId, authenticatedAt, expiresAt } = session;
  return { via: "session", sessionId, memberId, email, issuer, subject, authenticatedAt, expiresAt };
}
