import type { ConflictReason } from "@social-connect/contract";
import type { ClientRefusal, Refusal } from "@social-connect/domain";
import { ServiceError } from "../errors.ts";

/** An argument that failed. The admin API tells its caller only that; the panel shows the message at the field. */
export class InvalidInputError extends ServiceError {
  readonly field: string | null;

  constructor(field: string | null, message: string) {
    super({ code: "BAD_USER_INPUT", message });
    this.name = "InvalidInputError";
    this.field = field;
  }
}

/** A rule of the stored records would be broken. */
export class ConflictError extends ServiceError {
  constructor(reason: ConflictReason | null, message: string) {
    super({ code: "CONFLICT", message, ...(reason !== null && { reason }) });
    this.name = "ConflictError";
  }
}

export class NotFoundError extends ServiceError {
  constructor(what: string) {
    super({ code: "NOT_FOUND", message: `${what} does not exist.` });
    this.name = "NotFoundError";
  }
}

/** The change needs a sign-in at the issuer that is younger than the person's last one. */
export class ConfirmationRequiredError extends ServiceError {
  readonly confirmUrl: string;

  constructor(adminHost: string) {
    super({ code: "FORBIDDEN", message: "Confirm with the identity provider who you are, then try again." });
    this.name = "ConfirmationRequiredError";
    this.confirmUrl = `${adminHost}/panel/confirm`;
  }
}

/** Some address of a registration does not answer as the provider would. */
export class ProviderCheckError extends ServiceError {
  readonly problems: readonly { readonly address: string; readonly problem: string }[];

  constructor(problems: ProviderCheckError["problems"]) {
    super({ code: "CONFLICT", message: "The provider's addresses do not answer as they should." });
    this.name = "ProviderCheckError";
    this.problems = problems;
  }
}

export function enforceInput(field: string, violation: Refusal | null): void {
  if (violation !== null) throw new InvalidInputError(field, violation.message);
}

/** Throws what a rule about clients refused. */
export function enforceClientRule(refusal: ClientRefusal | null): void {
  switch (refusal?.code) {
    case "BAD_USER_INPUT":
      throw new InvalidInputError(refusal.field, refusal.message);
    case "CONFLICT":
      throw new ConflictError(refusal.reason, refusal.message);
    case "NOT_FOUND":
      throw new NotFoundError("What is to be removed");
  }
}
