import type { SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import type { Service, Transaction } from "../service.ts";

/**
 * What a job keeps of the scope it may be read from. Salted with the connection's id, so that it tells nothing of the
 * subject once the connection is erased, and two receipts of one subject do not look alike.
 */
export function scopeHash(
  connectionId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
): Uint8Array<ArrayBuffer> {
  return sha256(JSON.stringify([connectionId, tenantKey, externalSubjectId]));
}

/** The connection, when it belongs to the application and scope. */
export function findConnectionOfScope(
  client: Service["prisma"] | Transaction,
  applicationId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string,
): Promise<Connection | null> {
  return client.connection.findFirst({ where: { id, applicationId, tenantKey, externalSubjectId } });
}
