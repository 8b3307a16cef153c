import type {
  ConnectionStatus,
  ConnectSessionStatus,
  DisconnectCode,
  EventTypeName,
  IdpIdentityStatus,
  JobStatus,
  ReconnectCode,
  SocialProvider,
} from "@social-connect/contract";
import type { SubjectScope } from "../applications/scope.ts";
import type { JobKind } from "../jobs/job.ts";

/** A change that an application is told, as it is stored. */
export interface NewEvent {
  readonly applicationId: string;
  readonly type: EventTypeName;
  readonly provider: SocialProvider | null;
  readonly tenantKey: string | null;
  readonly externalSubjectId: string | null;
  readonly connectionId: string | null;
  readonly attemptId: string | null;
  readonly jobId: string | null;
  readonly status: string | null;
  readonly code: string | null;
  /** When it happened, if that was before it is stored. */
  readonly occurredAt?: Date;
}

const NO_SUBJECT = {
  provider: null,
  tenantKey: null,
  externalSubjectId: null,
  connectionId: null,
  attemptId: null,
  jobId: null,
  status: null,
  code: null,
} as const;

/** An event that an admin sends to see whether an endpoint works. */
export function testEvent(applicationId: string): NewEvent {
  return { ...NO_SUBJECT, applicationId, type: "test" };
}

const ATTEMPT_TYPES: Readonly<Partial<Record<ConnectSessionStatus, EventTypeName>>> = {
  COMPLETED: "connect.completed",
  DENIED: "connect.denied",
  FAILED: "connect.failed",
  EXPIRED: "connect.expired",
};

/** The event of a connect attempt that has just changed to its status; null for an unfinished or a canceled one. */
export function attemptEvent(
  attempt: SubjectScope & {
    readonly id: string;
    readonly applicationId: string;
    readonly provider: SocialProvider;
    readonly status: ConnectSessionStatus;
    readonly resultCode: string | null;
    readonly connectionId: string | null;
    readonly expiresAt: Date;
  },
): NewEvent | null {
  const { applicationId, provider, tenantKey, externalSubjectId, id, status } = attempt;
  const type = ATTEMPT_TYPES[status];
  if (type === undefined) return null;
  const connectionId = status === "COMPLETED" ? attempt.connectionId : null;
  const about = { applicationId, provider, tenantKey, externalSubjectId, connectionId, attemptId: id };
  // As a reader sees it, whenever a sweep stores it.
  const time = status === "EXPIRED" && { occurredAt: attempt.expiresAt };
  return { ...NO_SUBJECT, ...about, ...time, type, status, code: attempt.resultCode };
}

const CONNECTION_TYPES: Readonly<Partial<Record<ConnectionStatus, EventTypeName>>> = {
  CONNECTED: "connection.restored",
  SUSPENDED: "connection.suspended",
  RECONNECT_REQUIRED: "connection.reconnect_required",
  DISCONNECTED: "connection.disconnected",
};

/**
 * The event of a connection whose status was `before`; null if it has not changed, or begins its erasure. A new connection is
 * told by its attempt. `code` says why it must be reconnected, or who ended it.
 */
export function connectionEvent(
  before: ConnectionStatus,
  connection: SubjectScope & {
    readonly id: string;
    readonly applicationId: string;
    readonly provider: SocialProvider;
    readonly status: ConnectionStatus;
  },
  code: ReconnectCode | DisconnectCode | null,
): NewEvent | null {
  const { applicationId, provider, tenantKey, externalSubjectId, id, status } = connection;
  const type = CONNECTION_TYPES[status];
  if (type === undefined || status === before) return null;
  const hasCode = status === "RECONNECT_REQUIRED" || status === "DISCONNECTED";
  const about = { applicationId, provider, tenantKey, externalSubjectId, connectionId: id };
  return { ...NO_SUBJECT, ...about, type, status, code: hasCode ? code : null };
}

/**
 * The event of a job that has just changed to its status. null for an unfinished or canceled job, and for one that the service
 * scheduled, unless it is a receipt of a disconnect.
 */
export function jobEvent(
  job: {
    readonly id: string;
    readonly applicationId: string;
    readonly connectionId: string;
    readonly provider: SocialProvider;
    readonly kind: JobKind;
    readonly background: boolean;
    /** The application asked for the same read while the service's own was in flight. */
    readonly requested: boolean;
    readonly status: JobStatus;
    readonly errorCode: string | null;
  },
  { tenantKey, externalSubjectId }: SubjectScope,
): NewEvent | null {
  const { id, applicationId, connectionId, provider, status } = job;
  if (status !== "SUCCEEDED" && status !== "FAILED") return null;
  const type = jobEventType(job, status);
  if (type === null) return null;
  const about = { applicationId, provider, tenantKey, externalSubjectId, connectionId, jobId: id };
  return { ...NO_SUBJECT, ...about, type, status, code: job.errorCode };
}

function jobEventType(
  job: { readonly kind: JobKind; readonly background: boolean; readonly requested: boolean },
  status: "SUCCEEDED" | "FAILED",
): EventTypeName | null {
  if (job.kind === "REVOKE") return "receipt.revoke";
  if (job.kind === "ERASE") return "receipt.erase";
  if (job.background && !job.requested) return null;
  return status === "SUCCEEDED" ? "job.succeeded" : "job.failed";
}

/** Receipts are sent although their connection is erased, and then keep ids only. */
export const RECEIPT_EVENT_TYPES = ["receipt.revoke", "receipt.erase"] as const satisfies readonly EventTypeName[];

export function isReceiptEvent({ type }: { readonly type: string }): boolean {
  return RECEIPT_EVENT_TYPES.some((one) => one === type);
}

const IDENTITY_TYPES: Readonly<Partial<Record<IdpIdentityStatus, EventTypeName>>> = {
  COMPLETED: "identity.completed",
  DENIED: "identity.denied",
  FAILED: "identity.failed",
};

/** The event of an identity attempt that has just changed to its status; null for one that is pending or has expired. */
export function identityEvent(attempt: {
  readonly id: string;
  readonly applicationId: string;
  readonly tenantKey: string;
  readonly status: IdpIdentityStatus;
}): NewEvent | null {
  const { applicationId, tenantKey, id, status } = attempt;
  const type = IDENTITY_TYPES[status];
  return type === undefined ? null : { ...NO_SUBJECT, applicationId, tenantKey, attemptId: id, type, status };
}
