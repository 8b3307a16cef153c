import { isKeyActive } from "@social-connect/domain";
import type { Status } from "./StatusBadge.tsx";

/** Keys that expire within this time are highlighted, here and on the overview. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

interface KeyState extends Status {
  /** Requests with the key are accepted. */
  readonly isActive: boolean;
  readonly expiresSoon: boolean;
}

/** The state of an admin key or an application key. */
export function keyState(
  key: { readonly expiresAt: string | null; readonly revokedAt: string | null },
  now: Date,
): KeyState {
  const [expiresAt, revokedAt] = [asDate(key.expiresAt), asDate(key.revokedAt)];
  if (!isKeyActive({ expiresAt, revokedAt }, now)) {
    return { label: revokedAt === null ? "Expired" : "Revoked", tone: "idle", isActive: false, expiresSoon: false };
  }
  const expiresSoon = expiresAt !== null && expiresAt.getTime() - now.getTime() <= EXPIRES_SOON_MS;
  const status: Status = expiresSoon ? { label: "Expires soon", tone: "waiting" } : { label: "Active", tone: "good" };
  return { ...status, isActive: true, expiresSoon };
}

function asDate(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(timestamp);
}
