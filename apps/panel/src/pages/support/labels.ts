import type { Availability, SupportActor, SupportCause, SyncStatus } from "../../_generated/support.ts";
import type { Status } from "../../ui/StatusBadge.tsx";

export const CAUSE_NAMES: Readonly<Record<SupportCause, string>> = {
  ERASED: "The connection is erased",
  DISCONNECTED: "The account was disconnected",
  SETTLING: "Another account’s disconnect is settling",
  APP_REMOVED: "The user removed the app at the provider",
  CONSENT_EXPIRED: "The user’s consent expired",
  RECONNECT_REQUIRED: "Reconnect required",
  CALLS_REFUSED: "The provider refuses the calls for this account",
  CLIENT_DISABLED: "The client is disabled",
  CLIENT_WITHOUT_KEY: "The client has no active key",
  POLICY_FORBIDS: "The client’s settings do not allow it",
  REGISTRATION_NOT_SERVING: "The registration does not serve the client",
  REGISTRATION_PAUSED: "The registration is paused",
  REGISTRATION_DISABLED: "The registration is not published",
  CAPABILITY_NOT_GRANTED: "The user did not grant access to posts",
  CAPABILITY_NOT_SERVED: "The registration does not offer posts",
  SCAN_RUNNING: "A scan is running",
  QUOTA_USED_UP: "Our quota is used up",
  PROVIDER_RATE_LIMIT: "The provider limits our calls",
  PROVIDER_OUTAGE: "The provider does not respond",
  SERVICE_FAULT: "The service has a fault",
  WAITING_FOR_WORKER: "A scan waits for a worker",
  SCAN_FAILED: "The last scan failed",
  NEVER_SCANNED: "No scan yet",
  SCAN_OVERDUE: "The last scan is too old",
  SCAN_INCOMPLETE: "The last scan was incomplete",
  CONSENT_ENDS_SOON: "The consent ends soon",
  UP_TO_DATE: "The posts are up to date",
};

export const ACTOR_STATES: Readonly<Record<SupportActor, Status>> = {
  USER: { label: "User acts", tone: "waiting" },
  ADMIN: { label: "Admin acts", tone: "bad" },
  PROVIDER: { label: "Provider acts", tone: "waiting" },
  NOBODY: { label: "Nothing to do", tone: "good" },
};

export const AVAILABILITY_NAMES: Readonly<Record<Availability, string>> = {
  AVAILABLE: "Available",
  UNSUPPORTED: "Not supported by the provider",
  NOT_GRANTED: "Not granted by the user",
  UNAVAILABLE: "Not available",
};

export const SYNC_NAMES: Readonly<Record<SyncStatus, string>> = {
  PENDING: "Not read yet",
  RUNNING: "A scan is running",
  READY: "Complete for the scanned period",
  PARTIAL: "Partly read",
  STALE: "Out of date",
  FAILED: "The last scan failed",
};

/** A code without a text: `RECONNECT_REQUIRED` as “reconnect required”. */
export function inWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
