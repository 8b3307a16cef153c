import type { AdminErrorCode, AdminForbiddenReason, ConflictReason, ErrorCode } from "@social-connect/contract";

/**
 * Why a rule refuses a call; rules return `null` when they allow it. A rule never throws: the server and the mocks throw
 * their own errors.
 */
export interface Refusal<Code extends ErrorCode | AdminErrorCode = ErrorCode> {
  readonly code: Code;
  /** For the caller: what is wrong and what to do. Never repeats what was passed in. */
  readonly message: string;
  /** Which rule of the admin API was broken. */
  readonly reason?: ConflictReason | AdminForbiddenReason;
  /** The argument that failed, or its path in an input, e.g. `addresses.token`. */
  readonly field?: string;
  /** The addresses of a registration that do not respond as the provider would. */
  readonly problems?: readonly { readonly address: string; readonly problem: string }[];
  /** Set only where waiting helps; whole seconds, at least 1. */
  readonly retryAfterSeconds?: number;
}

export type AdminRefusal = Refusal<AdminErrorCode>;

export function refuse(code: ErrorCode, message: string, retryAfterSeconds?: number): Refusal {
  return retryAfterSeconds === undefined ? { code, message } : { code, message, retryAfterSeconds };
}

export function badUserInput(message: string): Refusal<"BAD_USER_INPUT"> {
  return { code: "BAD_USER_INPUT", message };
}

/** The refusal of a shared rule, as a failure of the argument `field`. */
export function refuseField(field: string, refusal: { readonly message: string } | null): AdminRefusal | null {
  return refusal && invalidField(field, refusal.message);
}

export function invalidField(field: string, message: string): AdminRefusal {
  return { code: "BAD_USER_INPUT", field, message };
}

export function conflict(reason: ConflictReason | null, message: string): AdminRefusal {
  return { code: "CONFLICT", message, ...(reason !== null && { reason }) };
}

/** `what` is the record as a sentence starts with it, e.g. "The client". */
export function notFound(what: string): AdminRefusal {
  return { code: "NOT_FOUND", message: `${what} does not exist.` };
}

/** Another transaction holds the row that a change needs. */
export const ROW_BUSY: AdminRefusal = conflict("ROW_BUSY", "Another change is in progress. Try again.");
