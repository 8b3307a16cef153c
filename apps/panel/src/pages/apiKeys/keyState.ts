import type { Tone } from "../../ui/StatusBadge.tsx";

/** Keys that expire within this time are highlighted, here and on the overview. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

export interface KeyState {
  readonly label: string;
  readonly tone: Tone;
  /** Requests with the key are accepted. */
  readonly isActive: boolean;
}

export function keyState(key: { readonly expiresAt: string; readonly revokedAt: string | null }, now: Date): KeyState {
  if (key.revokedAt !== null) return { label: "Revoked", tone: "idle", isActive: false };
  const leftMs = Date.parse(key.expiresAt) - now.getTime();
  if (leftMs <= 0) return { label: "Expired", tone: "idle", isActive: false };
  return leftMs <= EXPIRES_SOON_MS
    ? { label: "Expires soon", tone: "waiting", isActive: true }
    : { label: "Active", tone: "good", isActive: true };
}
