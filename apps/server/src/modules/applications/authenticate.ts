import { parseApplicationKey } from "@social-connect/domain";
import { sha256 } from "../../platform/hash.ts";
import type { Service } from "../service.ts";
import { checkKey, type SentKey, unauthenticated } from "./checkKey.ts";
import { type ApplicationRow, findKey } from "./store.ts";

/** The authenticated application and its key. */
export interface Caller extends SentKey {
  readonly application: ApplicationRow;
  /** Identifies the call, so that its repetition is recognized; absent if the caller sent none. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Authenticates a call by its Authorization header. UNAUTHENTICATED for a missing or malformed key too; otherwise the
 * errors of `checkKey`. Nothing is cached, so revocation takes effect on the next call.
 */
export async function authenticate(service: Service, authorization: readonly string[]): Promise<Caller> {
  const sent = readSentKey(authorization);
  if (sent === null) throw unauthenticated(authorization.length === 0 ? "missing" : "malformed");
  const [stored, now] = await Promise.all([findKey(service.reads.pool, sent.keyId), service.clock.now()]);
  const { application } = checkKey(service, sent, stored, now);
  return { ...sent, application };
}

/** The key of the one Authorization header; null if there is another number of them, or it is malformed. */
export function readSentKey(authorization: readonly string[]): SentKey | null {
  const key = authorization.length === 1 ? parseApplicationKey(authorization[0] ?? null) : null;
  return key && { keyId: key.keyId, secretHash: sha256(key.secret) };
}
