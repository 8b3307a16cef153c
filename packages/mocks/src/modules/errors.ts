import type { AdminErrorCode, AdminForbiddenReason, ConflictReason, ErrorCode } from "@social-connect/contract";
import type { Refusal } from "@social-connect/domain";

/** An error with a code of the contract. Every other error is returned as UPSTREAM_UNAVAILABLE. */
export class ServiceError extends Error {
  readonly code: ErrorCode | AdminErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: ConflictReason | AdminForbiddenReason | undefined;

  constructor(refusal: {
    readonly code: ErrorCode | AdminErrorCode;
    readonly message: string;
    readonly retryAfterSeconds?: number;
    readonly reason?: ConflictReason | AdminForbiddenReason;
  }) {
    super(refusal.message);
    this.name = "ServiceError";
    this.code = refusal.code;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.reason = refusal.reason;
  }
}

/** Throws what a rule refuses. */
export function enforce(violation: Refusal | null): void {
  if (violation !== null) throw new ServiceError(violation);
}

export function notFound(message: string): ServiceError {
  return new ServiceError({ code: "NOT_FOUND", message });
}
