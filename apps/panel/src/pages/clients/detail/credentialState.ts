import { isKeyActive } from "@social-connect/domain";
import type { Tone } from "../../../ui/StatusBadge.tsx";

export interface Credential {
  readonly keyId: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** Keys that expire within this time are highlighted, here and on the overview. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

export interface CredentialState {
  readonly label: string;
  readonly tone: Tone;
  readonly isActive: boolean;
}

export function credentialState({ revokedAt, expiresAt }: Credential, now: Date): CredentialState {
  const lifetime = { revokedAt: asDate(revokedAt), expiresAt: asDate(expiresAt) };
  if (!isKeyActive(lifetime, now)) {
    return { label: revokedAt === null ? "Expired" : "Revoked", tone: "idle", isActive: false };
  }
  const expiresSoon = lifetime.expiresAt !== null && lifetime.expiresAt.getTime() - now.getTime() <= EXPIRES_SOON_MS;
  return { label: expiresSoon ? "Expires soon" : "Active", tone: expiresSoon ? "waiting" : "good", isActive: true };
}

function asDate(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(timestamp);
}
