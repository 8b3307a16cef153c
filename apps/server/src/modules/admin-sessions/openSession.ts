import { decideConfirmSession, decideOpenSession, isRefusal } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";

export interface OpenedSession {
  readonly sessionId: string;
  readonly memberId: string;
  /** For the browser's cookie; its hash is stored. */
  readonly token: Secret;
}

/** Opens a session, with the audit entry of the sign-in. */
export async function openSession(
  service: Pick<Service, "prisma" | "clock">,
  admin: AdminMember,
  authenticatedAt: Date,
  now: Date,
): Promise<OpenedSession> {
  const [sessionId, token] = [newId(), newSecretHex()];
  const { patch, audit } = decideOpenSession(admin, authenticatedAt, now);
  await adminTransaction(service, async (transaction) => {
    await transaction.adminSession.create({ data: { ...patch, id: sessionId, tokenHash: sha256(token) } });
    await recordAudit(transaction, actorOf(admin), now, audit);
  });
  return { sessionId, memberId: admin.id, token: new Secret(token) };
}

export interface Confirmation {
  readonly sessionId: string;
  /** The admin who signed in again. */
  readonly admin: AdminMember;
  readonly authenticatedAt: Date;
}

/** Records the confirmation and gives the session another token. null when the session ended or belongs to another admin. */
export async function confirmSession(
  service: Pick<Service, "prisma" | "clock">,
  { sessionId, admin, authenticatedAt }: Confirmation,
  now: Date,
): Promise<OpenedSession | null> {
  const token = newSecretHex();
  return adminTransaction(service, async (transaction) => {
    await transaction.$queryRaw`SELECT 1 FROM admin_session WHERE id = ${sessionId}::uuid FOR UPDATE`;
    const session = await transaction.adminSession.findUnique({ where: { id: sessionId } });
    const change = decideConfirmSession(session, admin, authenticatedAt, now);
    if (isRefusal(change)) return null;
    const data = { ...change.patch, tokenHash: sha256(token) };
    await transaction.adminSession.update({ where: { id: sessionId }, data });
    await recordAudit(transaction, actorOf(admin), now, change.audit);
    return { sessionId, memberId: admin.id, token: new Secret(token) };
  });
}

function actorOf({ email }: AdminMember): AdminActor {
  return { via: "member", email };
}
