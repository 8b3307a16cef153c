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

/** A change that an application is told, as it is stored. What is not named is null. */
export interface NewEvent {
  readonly applicationId: string;
  readonly type: EventTypeName;
  readonly provider?: SocialProvider;
  readonly tenantKey?: string | null;
  readonly externalSubjectId?: string | null;
  readonly connectionId?: string | null;
  readonly attemptId?: string;
  readonly jobId?: string;
  readonly status?: string;
  readonly code?: string | null;
  /** When it happened, if that was before it is stored. */
  readonly occurredAt?: Date;
}

/** The row that has changed. */
interface Changed {
  readonly id: string;
  readonly applicationId: string;
  readonly provider: SocialProvider;
}

/** An event that an admin sends to see whether an endpoint works. */
export function testEvent(applicationId: string): NewEvent {
  return { applicationId, type: "test" };
}

const ATTEMPT_TYPES: Readonly<Partial<Record<ConnectSessionStatus, EventTypeName>>> = {
  COMPLETED: "connect.completed",
  DENIED: "connect.denied",
  FAILED: "connect.failed",
  EXPIRED: "connect.expired",
};

/** The event of a connect attempt that has just changed to its status; null for an unfinished or a canceled one. */
export function attemptEvent(
  attempt: Changed &
    SubjectScope & {
      readonly status: ConnectSessionStatus;
      readonly resultCode: string | null;
      readonly connectionId: string | null;
      readonly expiresAt: Date;
    },
): NewEvent | null {
  const { applicationId, provider, tenantKey, externalSubjectId, id: attemptId, status, resultCode: code } = attempt;
  const type = ATTEMPT_TYPES[status];
  if (type === undefined) return null;
  const connectionId = status === "COMPLETED" ? attempt.connectionId : null;
  const about = { applicationId, provider, tenantKey, externalSubjectId, connectionId, attemptId };
  // As a reader sees it, whenever a sweep stores it.
  return { ...about, type, status, code, ...(status === "EXPIRED" && { occurredAt: attempt.expiresAt }) };
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
  connection: Changed & SubjectScope & { readonly status: ConnectionStatus },
  code: ReconnectCode | DisconnectCode | null,
): NewEvent | null {
  const { applicationId, provider, tenantKey, externalSubjectId, id: connectionId, status } = connection;
  const type = CONNECTION_TYPES[status];
  if (type === undefined || status === before) return null;
  const hasCode = status === "RECONNECT_REQUIRED" || status === "DISCONNECTED";
  const about = { applicationId, provider, tenantKey, externalSubjectId, connectionId };
  return { ...about, type, status, code: hasCode ? code : null };
}

/**
 * The event of a job that has just changed to its status. null for an unfinished or canceled job, and for one that the service
 * scheduled, unless it is a receipt of a disconnect.
 */
export function jobEvent(
  job: Changed & {
    readonly connectionId: string;
    readonly kind: JobKind;
    readonly background: boolean;
    /** The application asked for the same read while the service's own was in flight. */
    readonly requested: boolean;
    readonly status: JobStatus;
    readonly errorCode: string | null;
  },
  { tenantKey, externalSubjectId }: SubjectScope,
): NewEvent | null {
  const { id: jobId, applicationId, connectionId, provider, kind, status, errorCode: code } = job;
  if (status !== "SUCCEEDED" && status !== "FAILED") return null;
  const isReceipt = kind === "REVOKE" || kind === "ERASE";
  if (job.background && !job.requested && !isReceipt) return null;
  const type = isReceipt ? RECEIPT_TYPES[kind] : status === "SUCCEEDED" ? "job.succeeded" : "job.failed";
  return { applicationId, provider, tenantKey, externalSubjectId, connectionId, jobId, type, status, code };
}

const RECEIPT_TYPES = { REVOKE: "receipt.revoke", ERASE: "receipt.erase" } as const;

/** Receipts are sent although their connection is erased, and then keep ids only. */
export const RECEIPT_EVENT_TYPES = Object.values(RECEIPT_TYPES);

export function isReceiptEvent({ type }: { readonly type: string }): boolean {
  return RECEIPT_EVENT_TYPES.some((one) => one === type);
}

const IDENTITY_TYPES: Readonly<Partial<Record<IdpIdentityStatus, EventTypeName>>> = {
  COMPLETED: "identity.completed",
  DENIED: "identity.denied",
  FAILED: "identity.failed",
};

/** The event of an identity attempt that has just changed to its status; null for one that is pending or has expired. */
export function identityEvent(
  attempt: Omit<Changed, "provider"> & { readonly tenantKey: string; readonly status: IdpIdentityStatus },
): NewEvent | null {
  const { applicationId, tenantKey, id: attemptId, status } = attempt;
  const type = IDENTITY_TYPES[status];
  return type === undefined ? null : { applicationId, tenantKey, attemptId, type, status };
}
