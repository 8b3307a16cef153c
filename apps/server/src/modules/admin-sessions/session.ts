import { createHmac, timingSafeEqual } from "node:crypto";
import type { AuditAction } from "@social-connect/domain";
import { addMs, isSessionAlive, needsConfirmation, sessionSummary } from "@social-connect/domain";
import { sha256 } from "../../platform/hash.ts";
import { Secret } from "../../platform/secret.ts";
import type { SessionActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConfirmationRequiredError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";

/** The audit entry of a sign-in, a confirmation or a sign-out: the admin is who acts, and whom it is about. */
export function recordSession(
  transaction: Transaction,
  { id, email }: { readonly id: string; readonly email: string },
  action: AuditAction & ("Admin signed in" | "Admin confirmed" | "Admin signed out"),
  at: Date,
): Promise<void> {
  const target = { type: "ADMIN", id } as const;
  return recordAudit(transaction, { via: "member", email }, at, {
    action,
    target,
    summary: sessionSummary(action, email),
  });
}

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

/** Signs out, with the audit entry: the cookie opens nothing any more, wherever it is replayed. */
export async function endSession(
  service: Pick<Service, "prisma" | "clock">,
  { sessionId, memberId, email }: SessionActor,
): Promise<void> {
  const now = await service.clock.now();
  await adminTransaction(service, async (transaction) => {
    const { count } = await transaction.adminSession.deleteMany({ where: { id: sessionId } });
    if (count > 0) await recordSession(transaction, { id: memberId, email }, "Admin signed out", now);
  });
}

/** Throws unless the person proved to the issuer who they are at most 5 minutes ago, by the issuer's own `auth_time`. */
export function requireConfirmation(actor: SessionActor, now: Date): void {
  if (needsConfirmation(actor.authenticatedAt, now)) throw new ConfirmationRequiredError();
}

/**
 * What a page of the panel sends beside the cookie with whatever changes something. It follows from the session's token,
 * which no script can read: a page of another origin can make the browser send the cookie, but not say this.
 */
export function csrfToken(sessionToken: string): Secret {
  return new Secret(createHmac("sha256", sessionToken).update("social-connect panel csrf").digest("hex"));
}

export function isCsrfToken(sessionToken: string, candidate: string | null): boolean {
  const expected = Buffer.from(csrfToken(sessionToken).reveal());
  const given = Buffer.from(candidate ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
