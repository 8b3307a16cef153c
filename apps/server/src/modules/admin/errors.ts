import type { AdminRefusal, Refusal } from "@social-connect/domain";
import { isRefusal } from "@social-connect/domain";
import type { ErrorReason } from "../../platform/appError.ts";
import { AppError } from "../../platform/appError.ts";

/** An argument that failed. The admin API returns the code alone; the panel shows the message at the field. */
export class InvalidInputError extends AppError {
  /** Name of the argument, or its path in an input, e.g. `returnUrls`; null when it is not a single one. */
  readonly field: string | null;

  constructor(field: string | null, message: string) {
    super({ code: "BAD_USER_INPUT", message });
    this.name = "InvalidInputError";
    this.field = field;
  }
}

/** A rule of the stored records would be broken. */
export class ConflictError extends AppError {
  constructor(reason: ErrorReason | null, message: string, cause?: unknown) {
    super({ code: "CONFLICT", message, cause, ...(reason === null ? {} : { reason }) });
    this.name = "ConflictError";
  }
}

export class NotFoundError extends AppError {
  constructor(message: string) {
    super({ code: "NOT_FOUND", message });
    this.name = "NotFoundError";
  }
}

/** The change needs a sign-in at the issuer that is younger than the person's last one. */
export class ConfirmationRequiredError extends AppError {
  constructor() {
    super({ code: "FORBIDDEN", message: "Confirm with the identity provider who you are, then try again." });
    this.name = "ConfirmationRequiredError";
  }
}

/** Some address of a registration does not respond as the provider would. */
export class ProviderCheckError extends AppError {
  readonly problems: NonNullable<AdminRefusal["problems"]>;

  constructor(message: string, problems: ProviderCheckError["problems"]) {
    super({ code: "CONFLICT", message });
    this.name = "ProviderCheckError";
    this.problems = problems;
  }
}

/** Throws what a rule refused as a failure of `field`; does nothing when it allowed. */
export function enforceInput(field: string, violation: Refusal | null): void {
  if (violation !== null) throw new InvalidInputError(field, violation.message);
}

/** A decision of the domain that is no refusal; throws the refusal. */
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
