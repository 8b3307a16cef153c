import { LIMITS } from "@social-connect/contract";
import {
  AUDITED,
  applicationKeyText,
  checkApplicationKeyLifetime,
  checkNewApplicationKey,
  keyExpiry,
} from "@social-connect/domain";
import type { ApplicationKey } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor, SessionActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError, enforceInput, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockClient } from "./changeClient.ts";
import { readClient } from "./readClients.ts";

export interface IssuedCredential {
  readonly credential: ApplicationKey;
  /** The whole key, as the application sends it. It leaves the service here and nowhere else; its hash is kept. */
  readonly key: Secret;
}

/**
 * Issues an application key. CONFLICT with KEY_LIMIT for a third active one, exactly, whatever runs in parallel: the
 * client's row is held. Source: service description, part 5, rules 3 and 4.
 */
export async function issueClientCredential(
  service: Service,
  actor: SessionActor,
  clientId: string,
  expiresInDays: number | null,
): Promise<IssuedCredential> {
  const now = await service.clock.now();
  enforceInput("expiresInDays", checkApplicationKeyLifetime(expiresInDays));
  const [id, secret] = [newId(), newSecretHex()];
  const credential = await adminTransaction(service, async (transaction) => {
    const client = await lockClient(transaction, clientId);
    const keys = await transaction.applicationKey.findMany({
      where: { applicationId: client.id },
      select: { expiresAt: true, revokedAt: true },
    });
    const limit = checkNewApplicationKey(keys, now);
    if (limit !== null) {
      throw new ConflictError(limit, `The client has ${LIMITS.activeApplicationKeys} active keys: revoke one first.`);
    }
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.applicationKeyIssued(id, expiresInDays),
      target: { type: "CLIENT", id: client.id },
      clientSlug: client.slug,
    });
    return transaction.applicationKey.create({
      data: {
        id,
        applicationId: client.id,
        secretHash: sha256(secret),
        createdAt: now,
        expiresAt: expiresInDays === null ? null : keyExpiry(now, expiresInDays),
      },
    });
  });
  return { credential, key: new Secret(applicationKeyText({ keyId: id, secret })) };
}

/** Ends an application key at its next call. One that was revoked before stays as it is. */
export async function revokeClientCredential(
  service: Service,
  actor: AdminActor,
  clientId: string,
  keyId: string,
): Promise<ApplicationKey> {
  const id = asUuid(keyId);
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const client = await lockClient(transaction, clientId);
    const key = id && (await transaction.applicationKey.findFirst({ where: { id, applicationId: client.id } }));
    if (!key) throw new NotFoundError("The application key");
    if (key.revokedAt !== null) return key;
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.applicationKeyRevoked(key.id),
      target: { type: "CLIENT", id: client.id },
      clientSlug: client.slug,
    });
    return transaction.applicationKey.update({ where: { id: key.id }, data: { revokedAt: now } });
  });
}

/** Most that are shown: two can be active, the rest is history. */
const MOST_SHOWN = 50;

/** The client's keys, newest first, the dead ones too. Never a secret. */
export async function listClientCredentials(service: Service, clientId: string): Promise<ApplicationKey[]> {
  const { id } = await readClient(service, clientId);
  return service.prisma.applicationKey.findMany({
    where: { applicationId: id },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_SHOWN,
  });
}
