import type { ErrorCode } from "@social-connect/contract";

/**
 * What every rule of this package that can refuse a call returns, `null` meaning "allowed". A rule never throws: the
 * server turns a violation into its own error, the mocks into theirs.
 *
 * `message` is meant for the caller: it names the argument and the rule, and never repeats what was passed in.
 * `retryAfterSeconds` is there only where waiting helps; whole seconds, at least 1.
 */
export interface RuleViolation {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export function violation(code: ErrorCode, message: string, retryAfterSeconds?: number): RuleViolation {
  return retryAfterSeconds === undefined ? { code, message } : { code, message, retryAfterSeconds };
}

export function badUserInput(message: string): RuleViolation {
  return violation("BAD_USER_INPUT", message);
}
