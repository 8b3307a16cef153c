import { accepted, notFound } from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import { SYSTEM } from "../admin/actor.ts";
import { revokeApiKey } from "../api-keys/changeApiKeys.ts";
import { revokeClientCredential } from "../clients/credentials.ts";
import type { Service } from "../service.ts";

/** Revokes a key of either type as of its next call. With `dryRun` it is only found. */
export async function revokeKey(service: Service, id: string, dryRun: boolean) {
  const keyId = asUuid(id);
  const ofClient = keyId && (await service.prisma.applicationKey.findUnique({ where: { id: keyId } }));
  if (ofClient) {
    const { applicationId, revokedAt } = ofClient;
    if (dryRun) return { id: ofClient.id, type: "application", revokedAt };
    const revoked = await revokeClientCredential(service, SYSTEM, applicationId, ofClient.id);
    return { id: revoked.id, type: "application", revokedAt: revoked.revokedAt };
  }
  const ofAdmin = keyId && (await service.prisma.adminApiKey.findUnique({ where: { id: keyId } }));
  if (!ofAdmin) return accepted(notFound("The key"));
  const key = dryRun ? ofAdmin : await revokeApiKey(service, SYSTEM, ofAdmin.id);
  return { id: key.id, type: "admin", revokedAt: key.revokedAt };
}
