import { CONNECTION_STATUSES } from "@social-connect/contract";
import { isDisconnected, type SubjectScope } from "@social-connect/domain";
import type { ConnectAttempt, Connection } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
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

/** Whether the subject of an attempt has a connection of its provider that is not disconnected. */
export async function hasConnectionLike(
  client: Transaction,
  { applicationId, tenantKey, externalSubjectId, provider }: ConnectAttempt,
): Promise<boolean> {
  const status = { notIn: CONNECTION_STATUSES.filter((one) => isDisconnected(one)) };
  const where = { applicationId, tenantKey, externalSubjectId, provider, status };
  return (await client.connection.findFirst({ where, select: { id: true } })) !== null;
}

export function findConnectionOfScope(
  client: Service["prisma"] | Transaction,
  applicationId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string,
): Promise<Connection | null> {
  return client.connection.findFirst({ where: { id, applicationId, tenantKey, externalSubjectId } });
}
