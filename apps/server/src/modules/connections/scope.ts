import type { SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import type { Service, Transaction } from "../service.ts";

/**
 * A hash of the scope, by which a job's readers are authorized. Salted with the connection ID: after erasure it does
 * not identify the subject, and two receipts of the same subject cannot be linked.
 */
export function scopeHash(
  connectionId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
): Uint8Array<ArrayBuffer> {
  return sha256(JSON.stringify([connectionId, tenantKey, externalSubjectId]));
}

export function findConnectionOfScope(
  client: Service["prisma"] | Transaction,
  applicationId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string,
): Promise<Connection | null> {
  return client.connection.findFirst({ where: { id, applicationId, tenantKey, externalSubjectId } });
}
