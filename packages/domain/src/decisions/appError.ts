import type { AdminErrorCode, ErrorCode } from "@social-connect/contract";
import { isRefusal } from "./change.ts";
import type { AdminRefusal, Refusal } from "./refusal.ts";

/**
 * A failure with a code of the contract. The server and the mocks throw it where a rule refuses; both APIs answer anything
 * else that is thrown as UPSTREAM_UNAVAILABLE.
 */
export class AppError extends Error {
  readonly code: ErrorCode | AdminErrorCode;
  readonly reason: Refusal["reason"];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    { code, message, reason, retryAfterSeconds }: Refusal<ErrorCode | AdminErrorCode>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An invalid argument. The admin API returns only the code; the panel shows the message at the field. */
export class InvalidInputError extends AppError {
  /** Name of the argument, or its path in an input, e.g. `returnUrls`; null when several are involved. */
  readonly field: string | null;

  constructor(field: string | null, message: string) {
    super({ code: "BAD_USER_INPUT", message });
    this.name = "InvalidInputError";
    this.field = field;
  }
}

export class ConflictError extends AppError {
  constructor(reason: AdminRefusal["reason"] | null, message: string, options?: ErrorOptions) {
    super({ code: "CONFLICT", message, ...(reason != null && { reason }) }, options);
    this.name = "ConflictError";
  }
}

export class NotFoundError extends AppError {
  constructor(message: string) {
    super({ code: "NOT_FOUND", message });
    this.name = "NotFoundError";
  }
}

/** The change requires a recent sign-in at the identity provider. */
export class ConfirmationRequiredError extends AppError {
  constructor() {
    super({ code: "FORBIDDEN", message: "Confirm your identity with the identity provider, then try again." });
    this.name = "ConfirmationRequiredError";
  }
}

export class ProviderCheckError extends AppError {
  readonly problems: NonNullable<AdminRefusal["problems"]>;

  constructor(message: string, problems: ProviderCheckError["problems"]) {
    super({ code: "CONFLICT", message });
    this.name = "ProviderCheckError";
    this.problems = problems;
  }
}

/** Throws the refusal of a rule or of a decision, or returns the change. */
export function enforce<Decision extends object | null>(decision: Decision): Exclude<Decision, Refusal> {
  if (isRefusal(decision)) throw new AppError(decision);
  return decision as Exclude<Decision, Refusal>;
}

/** The same for a decision of the admin API, whose errors name the field. */
export function accepted<Decision extends object | null>(decision: Decision): Exclude<Decision, AdminRefusal> {
  if (isRefusal(decision)) throw refusalError(decision);
  return decision as Exclude<Decision, AdminRefusal>;
}

function refusalError(refusal: AdminRefusal): AppError {
  const { code, reason, message, field = null, problems } = refusal;
  if (problems !== undefined) return new ProviderCheckError(message, problems);
  if (code === "BAD_USER_INPUT") return new InvalidInputError(field, message);
  if (code === "NOT_FOUND") return new NotFoundError(message);
  return code === "CONFLICT" ? new ConflictError(reason ?? null, message) : new AppError(refusal);
}
