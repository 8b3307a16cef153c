import type { ConflictReason } from "@social-connect/contract";
import type { Refusal } from "@social-connect/domain";
import { AppError } from "../../platform/appError.ts";

/** An argument that failed. The admin API tells its caller only that; the panel shows the message at the field. */
export class InvalidInputError extends AppError {
  /** Name of the argument, or its path in an input, e.g. `returnUrls`; null where no single one is to blame. */
  readonly field: string | null;

  constructor(field: string | null, message: string) {
    super({ code: "BAD_USER_INPUT", message });
    this.name = "InvalidInputError";
    this.field = field;
  }
}

/** A rule of the stored records would be broken. */
export class ConflictError extends AppError {
  constructor(reason: ConflictReason | null, message: string, cause?: unknown) {
    super({ code: "CONFLICT", message, cause, ...(reason === null ? {} : { reason }) });
    this.name = "ConflictError";
  }
}

export class NotFoundError extends AppError {
  constructor(what: string) {
    super({ code: "NOT_FOUND", message: `${what} does not exist.` });
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

/** Throws what a rule refused as a failure of `field`; does nothing when it allowed. */
export function enforceInput(field: string, violation: Refusal | null): void {
  if (violation !== null) throw new InvalidInputError(field, violation.message);
}
