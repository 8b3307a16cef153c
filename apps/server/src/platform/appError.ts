import type { AdminErrorCode, AdminForbiddenReason, ConflictReason, ErrorCode } from "@social-connect/contract";

/** `extensions.reason` of an admin error: which rule it was. */
export type ErrorReason = ConflictReason | AdminForbiddenReason;

interface AppErrorOptions {
  readonly code: ErrorCode | AdminErrorCode;
  /** What the caller reads. Names no internals. */
  readonly message: string;
  /** What the log reads beside it. Never a secret. */
  readonly internal?: string;
  readonly reason?: ErrorReason;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A failure with a code of the contract. Everything else that is thrown is answered as UPSTREAM_UNAVAILABLE. */
export class AppError extends Error {
  readonly code: ErrorCode | AdminErrorCode;
  readonly internal: string | undefined;
  readonly reason: ErrorReason | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, internal, reason, retryAfterSeconds, cause }: AppErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "AppError";
    this.code = code;
    this.internal = internal;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
