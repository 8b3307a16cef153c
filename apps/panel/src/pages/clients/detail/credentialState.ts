import { isKeyActive } from "@social-connect/domain";
import type { Tone } from "../../../ui/StatusBadge.tsx";

export interface Credential {
  readonly keyId: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** How long before its end a key is worth a word; the overview names it from then on, too. */
const ENDS_SOON_MS = 14 * 86_400_000;

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
  const endsSoon = lifetime.expiresAt !== null && lifetime.expiresAt.getTime() - now.getTime() <= ENDS_SOON_MS;
  return { label: endsSoon ? "Ends soon" : "Active", tone: endsSoon ? "waiting" : "good", isActive: true };
}

function asDate(moment: string | null): Date | null {
  return moment === null ? null : new Date(moment);
}
