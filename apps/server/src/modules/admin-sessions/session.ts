import { createHmac, timingSafeEqual } from "node:crypto";
import {
  accepted,
  ConfirmationRequiredError,
  decideSessionUse,
  decideSignOut,
  isRefusal,
  needsConfirmation,
} from "@social-connect/domain";
import { sha256 } from "../../platform/secrets/hash.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import type { SessionActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";

export interface FoundSession extends SessionActor {
  readonly expiresAt: Date;
}

const TOKEN = /^[0-9a-f]{64}$/;

/**
 * The session of a token; null when it is unknown or expired, or its admin was removed. Not cached. A page that refreshes
 * itself does not extend its session, so that it ends an hour after the admin's last action.
 */
export async function findSession(
  service: Service,
  token: string | null,
  { extend = true }: { readonly extend?: boolean } = {},
): Promise<FoundSession | null> {
  if (token === null || !TOKEN.test(token)) return null;
  const session = await service.prisma.adminSession.findUnique({
    where: { tokenHash: sha256(token) },
    include: { member: true },
  });
  const use = decideSessionUse(session, await service.clock.now());
  if (session === null || isRefusal(use)) return null;
  const { id: sessionId, memberId, authenticatedAt, expiresAt } = session;
  const { email, issuer, subject } = session.member;
  if (issuer === null || subject === null) return null;
  if (extend && use !== null)
    await service.prisma.adminSession.updateMany({ where: { id: sessionId }, data: use.patch });
  return { via: "session", sessionId, memberId, email, issuer, subject, authenticatedAt, expiresAt };
}

/** Signs out, with the audit entry. */
export async function endSession(
  service: Pick<Service, "prisma" | "clock">,
  { sessionId, memberId, email }: SessionActor,
): Promise<void> {
  await adminTransaction(service, async (transaction, now) => {
    const where = { id: sessionId };
    const [session = null] = await transaction.adminSession.findMany({ where });
    const { count } = await transaction.adminSession.deleteMany({ where });
    const change = accepted(decideSignOut({ id: memberId, email }, count > 0 ? session : null));
    if (change !== null) await recordAudit(transaction, { via: "member", email }, now, change.audit);
  });
}

/** Throws unless the admin signed in at the issuer at most 5 minutes ago. */
export function requireConfirmation(actor: SessionActor, now: Date): void {
  if (needsConfirmation(actor.authenticatedAt, now)) throw new ConfirmationRequiredError();
}

/**
 * The CSRF token that the panel sends with every mutation. It is derived from the session token, which no script can
 * read: a page of another origin can make the browser send the cookie, but not this header.
 */
export function csrfToken(sessionToken: string): Secret {
  return new Secret(createHmac("sha256", sessionToken).update("social-connect panel csrf").digest("hex"));
}

export function isCsrfToken(sessionToken: string, candidate: string | null): boolean {
  const expected = Buffer.from(csrfToken(sessionToken).reveal());
  const given = Buffer.from(candidate ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
