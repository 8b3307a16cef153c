import type { AdminRefusal } from "@social-connect/domain";
import { isRefusal } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import { ServiceError } from "../errors.ts";

/** An invalid argument. The admin API returns only the code; the panel shows the message at the field. */
export class InvalidInputError extends ServiceError {
  readonly field: string | null;

  constructor(field: string | null, message: string) {
    super({ code: "BAD_USER_INPUT", message });
    this.name = "InvalidInputError";
    this.field = field;
  }
}

/** The change conflicts with stored records. */
export class ConflictError extends ServiceError {
  constructor(reason: AdminRefusal["reason"] | null, message: string) {
    super({ code: "CONFLICT", message, ...(reason != null && { reason }) });
    this.name = "ConflictError";
  }
}

export class NotFoundError extends ServiceError {
  constructor(message: string) {
    super({ code: "NOT_FOUND", message });
    this.name = "NotFoundError";
  }
}

/** The change requires a recent sign-in at the identity provider. */
export class ConfirmationRequiredError extends ServiceError {
  readonly confirmUrl: string;

  constructor(adminHost: string) {
    super({ code: "FORBIDDEN", message: "Confirm with the identity provider who you are, then try again." });
    this.name = "ConfirmationRequiredError";
    this.confirmUrl = `${adminHost}/panel/confirm`;
  }
}

/** Some address of a registration does not respond as the provider would. */
export class ProviderCheckError extends ServiceError {
  readonly problems: NonNullable<AdminRefusal["problems"]>;

  constructor(message: string, problems: ProviderCheckError["problems"]) {
    super({ code: "CONFLICT", message });
    this.name = "ProviderCheckError";
    this.problems = problems;
  }
}

/** Throws the refusal of a decision, or returns the change. */
export function accepted<Decision extends object | null>(decision: Decision): Exclude<Decision, AdminRefusal> {
  if (isRefusal(decision)) throw refusalError(decision);
  return decision as Exclude<Decision, AdminRefusal>;
}

/** The decision about a new record. Its id is only generated when it is accepted, so a refusal does not change the state. */
export function acceptedNew<Decision extends object | null>(
  world: World,
  decide: (id: string) => Decision,
): Exclude<Decision, AdminRefusal> {
  accepted(decide(""));
  return accepted(decide(world.newId()));
}

function refusalError(refusal: AdminRefusal): ServiceError {
  const { code, reason, message, field = null, problems } = refusal;
  if (problems !== undefined) return new ProviderCheckError(message, problems);
  if (code === "BAD_USER_INPUT") return new InvalidInputError(field, message);
  if (code === "NOT_FOUND") return new NotFoundError(message);
  return code === "CONFLICT" ? new ConflictError(reason ?? null, message) : new ServiceError(refusal);
}
