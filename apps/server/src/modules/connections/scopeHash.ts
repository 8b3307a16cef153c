import type { SubjectScope } from "@social-connect/domain";
import { sha256 } from "../../platform/hash.ts";

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
