import type { ConnectionStatus, ConnectSessionStatus, JobStatus } from "@social-connect/contract";
import { JOB_KINDS, JOB_TRAITS } from "@social-connect/domain";
import type { JobKind } from "../../_generated/health.ts";
import { isExpectedFailure } from "../../ui/codeDescriptions.ts";
import { capitalize } from "../../ui/labels.ts";
import type { Status } from "../../ui/StatusBadge.tsx";

export const JOB_KIND_NAMES = Object.fromEntries(
  JOB_KINDS.map((kind) => [kind, capitalize(JOB_TRAITS[kind].name)]),
) as Readonly<Record<JobKind, string>>;

const JOB_STATES: Readonly<Record<JobStatus, Status>> = {
  QUEUED: { label: "Queued", tone: "idle" },
  RUNNING: { label: "Running", tone: "idle" },
  SUCCEEDED: { label: "Succeeded", tone: "good" },
  FAILED: { label: "Failed", tone: "bad" },
  CANCELED: { label: "Canceled", tone: "idle" },
};

/** A failure that requires no action is not shown as a problem. */
export function jobState(status: JobStatus, errorCode: string | null): Status {
  return isExpectedFailure(status, errorCode) ? { label: "Expected failure", tone: "idle" } : JOB_STATES[status];
}

export const ATTEMPT_STATES: Readonly<Record<ConnectSessionStatus, Status>> = {
  CREATED: { label: "Created", tone: "idle" },
  AUTHORIZING: { label: "At the provider", tone: "idle" },
  EXCHANGING: { label: "Exchanging code", tone: "idle" },
  COMPLETED: { label: "Completed", tone: "good" },
  DENIED: { label: "Denied", tone: "idle" },
  FAILED: { label: "Failed", tone: "bad" },
  EXPIRED: { label: "Expired", tone: "idle" },
  CANCELED: { label: "Canceled", tone: "idle" },
};

export const CONNECTION_STATES: Readonly<Record<ConnectionStatus, Status>> = {
  CONNECTED: { label: "Connected", tone: "good" },
  SUSPENDED: { label: "Suspended", tone: "waiting" },
  RECONNECT_REQUIRED: { label: "Reconnect required", tone: "bad" },
  DISCONNECTED: { label: "Disconnected", tone: "idle" },
  DELETING: { label: "Being erased", tone: "idle" },
};
