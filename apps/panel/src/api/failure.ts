/** Why a request did not do what it was to do. */
export type FailureCode =
  | "UNAUTHENTICATED"
  | "FORBIDDEN"
  | "BAD_USER_INPUT"
  | "NOT_FOUND"
  | "CONFLICT"
  | "CONFIRMATION_REQUIRED"
  | "PROVIDER_CHECK"
  | "UPSTREAM_UNAVAILABLE"
  /** No answer came. */
  | "UNREACHABLE";

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

/** What went wrong, in words for the person and with what the page needs to show it at its place. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Name or path of the input that failed, e.g. `returnUrls`. */
  readonly field: string | null;
  /** Which rule of the stored records would be broken, e.g. `SLUG_TAKEN`. */
  readonly reason: string | null;
  /** To be quoted when support is asked for help. */
  readonly correlationId: string | null;
  /** Where the browser goes for a confirmation. */
  readonly confirmUrl: string | null;
  /** Which addresses of a registration do not answer as the provider would. */
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

/** Rules of the service say why in half a sentence. */
function asSentence(text: string): string {
  const end = /[.!?…]$/.test(text) ? "" : ".";
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

/** Whether what was to be done may have been done all the same: only the service knows. */
export function mayBeDone({ code }: Failure): boolean {
  return code === "UNREACHABLE" || code === "UPSTREAM_UNAVAILABLE";
}

/** Whatever was thrown, as a failure that can be shown. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure({ code: "UPSTREAM_UNAVAILABLE", message: "Something went wrong in this page. Reload it." });
}
