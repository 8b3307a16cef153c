import type { Tone } from "../../ui/StatusBadge.tsx";

/** How long before its end a key is worth a word; the overview names it from then on, too. */
const ENDS_SOON_MS = 14 * 86_400_000;

export interface KeyState {
  readonly label: string;
  readonly tone: Tone;
  /** It still opens something. */
  readonly isActive: boolean;
}

export function keyState(key: { readonly expiresAt: string; readonly revokedAt: string | null }, now: Date): KeyState {
  if (key.revokedAt !== null) return { label: "Revoked", tone: "idle", isActive: false };
  const leftMs = Date.parse(key.expiresAt) - now.getTime();
  if (leftMs <= 0) return { label: "Expired", tone: "idle", isActive: false };
  return leftMs <= ENDS_SOON_MS
    ? { label: "Ends soon", tone: "waiting", isActive: true }
    : { label: "Good", tone: "good", isActive: true };
}
