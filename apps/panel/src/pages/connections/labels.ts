import type { ShownCause, StoredSyncStatus } from "@social-connect/domain";
import type { Status } from "../../ui/StatusBadge.tsx";

/** How the latest scan ended. */
export const SCAN_STATES: Readonly<Record<StoredSyncStatus, Status>> = {
  PENDING: { label: "Not scanned yet", tone: "idle" },
  RUNNING: { label: "Running", tone: "idle" },
  READY: { label: "Complete", tone: "good" },
  PARTIAL: { label: "Incomplete", tone: "waiting" },
  FAILED: { label: "Failed", tone: "bad" },
};

export const CAUSE_LABELS: Readonly<Record<ShownCause, string>> = {
  AUTHORIZATION_REMOVED: "Consent ended by the user",
  GRANT_ENDED: "Consent ended at the provider",
  ACCOUNT_UNREADABLE: "Account cannot be read",
  CALLS_REFUSED: "Account refused",
  CHECK_FAILED: "Consent could not be checked",
  PERMISSION_MISSING: "Permission missing",
  NOT_ALLOWED: "Not allowed by our settings",
  REGISTRATION_PAUSED: "Registration paused",
  REGISTRATION_REFUSED: "Our key is refused",
  PROVIDER_UNAVAILABLE: "Provider does not respond",
  RATE_LIMITED: "Provider limits our calls",
  QUOTA: "Our quota is used up",
  SERVICE_FAULT: "Fault of this service",
  SETTLING: "Other disconnect is settling",
  BY_APPLICATION: "Disconnected by the client",
  AT_PROVIDER: "Deletion asked at the provider",
  BY_OPERATOR: "Disconnected by an admin",
  NOT_RECORDED: "Not recorded",
};
