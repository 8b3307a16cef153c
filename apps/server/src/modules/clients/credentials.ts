import { accepted, applicationKeyText, decideIssueCredential, decideRevokeCredential } from "@social-connect/domain";
import type { ApplicationKey, Prisma } from "../../_generated/prisma/client.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor, SessionActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { lockClient, readClient } from "../applications/client.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";

export type IssuedCredential = Awaited<ReturnType<typeof issueClientCredential>>;

/**
 * Issues a key. The limit of two active keys is exact under parallel calls: the client's row is locked. `key` is the
 * complete key, of which only the hash is stored.
 */
export async function issueClientCredential(
  service: Service,
  actor: SessionActor,
  clientId: string,
  expiresInDays: number | null,
) {
  const [id, secret] = [newId(), newSecretHex()];
  const credential = await adminTransaction(service, async (transaction, now) => {
    const client = await lockClient(transaction, clientId);
    const where = { applicationId: client?.id ?? id };
    const keys = await transaction.applicationKey.findMany({ where, select: { expiresAt: true, revokedAt: true } });
    const change = accepted(decideIssueCredential({ client, keys }, { id, expiresInDays }, now));
    await recordAudit(transaction, actor, now, change.audit);
    return transaction.applicationKey.create({ data: { ...change.patch, secretHash: sha256(secret) } });
  });
  return { credential, key: new Secret(applicationKeyText({ keyId: id, secret })) };
}

export async function revokeClientCredential(
  service: Service,
  actor: AdminActor,
  clientId: string,
  keyId: string,
): Promise<ApplicationKey> {
  return adminTransaction(service, async (transaction, now) => {
    const client = await lockClient(transaction, clientId);
    const where = { id: asUuid(keyId) ?? "", applicationId: client?.id ?? "" };
    const key = where.id && where.applicationId ? await transaction.applicationKey.findFirst({ where }) : null;
    const change = accepted(decideRevokeCredential(client, key, now));
    if (change === null) return transaction.applicationKey.findUniqueOrThrow({ where });
    await recordAudit(transaction, actor, now, change.audit);
    return transaction.applicationKey.update({ where, data: change.patch });
  });
}

/** Two can be active, the others are history. */
const CREDENTIALS_SHOWN = 50;

/** The client's keys, active or not, newest first. */
export async function listClientCredentials<Query extends Prisma.ApplicationKeyFindManyArgs>(
  service: Service,
  clientId: string,
  query?: Query,
): Promise<ApplicationKey[]> {
  const { id } = await readClient(service, clientId);
  return service.prisma.applicationKey.findMany({
    ...query,
    where: { applicationId: id },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: CREDENTIALS_SHOWN,
  });
}
