import { accepted, notFound } from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import { SYSTEM } from "../admin/actor.ts";
import { revokeApiKey } from "../api-keys/changeApiKeys.ts";
import { revokeClientCredential } from "../clients/credentials.ts";
import type { Service } from "../service.ts";

export interface RevokedKey {
  readonly id: string;
  readonly type: "application" | "admin";
  /** The client's slug or the admin's email address. */
  readonly owner: string;
  readonly lastUsedAt: Date | null;
  /** Other keys of the owner that work. */
  readonly otherKeys: number;
  readonly revokedAt: Date | null;
}

/** Revokes a key of either type as of its next call. With `dryRun` it is only found. */
export async function revokeKey(service: Service, id: string, dryRun: boolean): Promise<RevokedKey> {
  const { prisma } = service;
  const keyId = asUuid(id);
  const expires = [{ expiresAt: null }, { expiresAt: { gt: await service.clock.now() } }];
  const include = { application: { select: { slug: true } } };
  const ofClient = keyId && (await prisma.applicationKey.findUnique({ where: { id: keyId }, include }));
  if (ofClient) {
    const { applicationId, lastUsedAt } = ofClient;
    const others = { applicationId, id: { not: ofClient.id }, revokedAt: null, OR: expires };
    const otherKeys = await prisma.applicationKey.count({ where: others });
    const { revokedAt } = dryRun ? ofClient : await revokeClientCredential(service, SYSTEM, applicationId, ofClient.id);
    return { id: ofClient.id, type: "application", owner: ofClient.application.slug, lastUsedAt, otherKeys, revokedAt };
  }
  const ofAdmin = keyId && (await prisma.adminApiKey.findUnique({ where: { id: keyId } }));
  if (!ofAdmin) return accepted(notFound("The key"));
  const { memberId, createdBy: owner, lastUsedAt } = ofAdmin;
  const others = { memberId, id: { not: ofAdmin.id }, revokedAt: null, expiresAt: { gt: await service.clock.now() } };
  const otherKeys = await prisma.adminApiKey.count({ where: others });
  const { revokedAt } = dryRun ? ofAdmin : await revokeApiKey(service, SYSTEM, ofAdmin.id);
  return { id: ofAdmin.id, type: "admin", owner, lastUsedAt, otherKeys, revokedAt };
}
