/** Why a request failed. */
export type FailureCode =
  | "UNAUTHENTICATED"
  | "FORBIDDEN"
  | "BAD_USER_INPUT"
  | "NOT_FOUND"
  | "CONFLICT"
  | "CONFIRMATION_REQUIRED"
  | "PROVIDER_CHECK"
  | "UPSTREAM_UNAVAILABLE"
  /** No response arrived. */
  | "UNREACHABLE"
  /** The browser has no network, so the request was not sent. */
  | "OFFLINE";

export interface AddressProblem {
  readonly address: string;
  readonly problem: string;
}

interface FailureParts {
  readonly code: FailureCode;
  readonly message: string;
  readonly field?: string | null;
  readonly reason?: string | null;
  readonly correlationId?: string | null;
  readonly confirmUrl?: string | null;
  readonly problems?: readonly AddressProblem[];
}

/** A failed request: a message for the user, and the details that decide where the page shows it. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Name or path of the input that failed, e.g. `returnUrls`. */
  readonly field: string | null;
  /** The violated rule, e.g. `SLUG_TAKEN`. */
  readonly reason: string | null;
  /** Identifies the request in a support case. */
  readonly correlationId: string | null;
  /** The page that confirms the admin's identity. */
  readonly confirmUrl: string | null;
  /** The URLs of a registration that do not respond as the provider would. */
  readonly problems: readonly AddressProblem[];

  constructor({ code, message, ...parts }: FailureParts) {
    super(asSentence(message));
    this.name = "Failure";
    this.code = code;
    this.field = parts.field ?? null;
    this.reason = parts.reason ?? null;
    this.correlationId = parts.correlationId ?? null;
    this.confirmUrl = parts.confirmUrl ?? null;
    this.problems = parts.problems ?? [];
  }
}

/** Some rules of the service return a fragment, such as "not found". */
function asSentence(text: string): string {
  const end = /[.!?…]$/.test(text) ? "" : ".";
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

/** Whether the service may have applied the change although the request failed. */
export function mayHaveBeenApplied({ code }: Failure): boolean {
  return code === "UNREACHABLE" || code === "UPSTREAM_UNAVAILABLE";
}

/** Converts any thrown value into a failure that can be shown. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure({ code: "UPSTREAM_UNAVAILABLE", message: "Something went wrong. Reload the page." });
}
