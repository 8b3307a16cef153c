import type { AdminErrorCode, AdminForbiddenReason, ConflictReason, ErrorCode } from "@social-connect/contract";
import type { RefusalEventName } from "./securityEvents.ts";

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
  /** How the security log names the refusal, where it is more than a refused call. */
  readonly refusal?: Refusal;
  readonly cause?: unknown;
}

export interface Refusal {
  readonly event: RefusalEventName;
  /** Why, in a few fixed words. Never a secret. */
  readonly reason: string;
  /** The key that was named. */
  readonly keyId?: string | null;
  /** Whether that key exists, so that lines are counted by it. */
  readonly isKnownKey?: boolean;
}

/** A failure with a code of the contract. Everything else that is thrown is answered as UPSTREAM_UNAVAILABLE. */
export class AppError extends Error {
  readonly code: ErrorCode | AdminErrorCode;
  readonly internal: string | undefined;
  readonly reason: ErrorReason | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly refusal: Refusal | undefined;

  constructor({ code, message, internal, reason, retryAfterSeconds, refusal, cause }: AppErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "AppError";
    this.code = code;
    this.internal = internal;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.refusal = refusal;
  }
}
