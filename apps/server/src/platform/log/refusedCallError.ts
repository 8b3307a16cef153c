import type { AdminErrorCode, ErrorCode } from "@social-connect/contract";
import { AppError, type Refusal } from "@social-connect/domain";
import type { RefusalEventName } from "./securityEvents.ts";

/** How the security log names a refused call. */
export interface SecurityRefusal {
  readonly event: RefusalEventName;
  /** Why, in a few fixed words. Never a secret. */
  readonly reason: string;
  /** The key that was named. */
  readonly keyId?: string | null;
  /** Whether that key exists, so that lines are counted by it. */
  readonly isKnownKey?: boolean;
}

/** A call that is refused for its key, session or origin. The caller reads one message for every cause; the log names it. */
export class RefusedCallError extends AppError {
  readonly security: SecurityRefusal;

  constructor(refusal: Refusal<ErrorCode | AdminErrorCode>, security: SecurityRefusal) {
    super(refusal);
    this.security = security;
  }
}
