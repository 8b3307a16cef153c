import type { StoredSyncStatus } from "@social-connect/domain";
import type { Status } from "../../ui/StatusBadge.tsx";

/** How the latest scan ended. */
export const SCAN_STATES: Readonly<Record<StoredSyncStatus, Status>> = {
  PENDING: { label: "Not scanned yet", tone: "idle" },
  RUNNING: { label: "Running", tone: "idle" },
  READY: { label: "Complete", tone: "good" },
  PARTIAL: { label: "Incomplete", tone: "waiting" },
  FAILED: { label: "Failed", tone: "bad" },
};
