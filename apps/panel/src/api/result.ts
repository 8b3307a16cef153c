import { type AddressProblem, Failure, type FailureCode } from "./failure.ts";

export interface TypedResult {
  readonly __typename: string;
}

/** The success type of a result union. */
export type Success<Result extends TypedResult> = Exclude<Result, { readonly __typename: `${string}Error` }>;

interface AnyError extends TypedResult {
  readonly message?: string;
  readonly field?: string | null;
  readonly reason?: string | null;
  readonly confirmUrl?: string;
  readonly problems?: readonly AddressProblem[];
}

const CODES: Readonly<Record<string, FailureCode>> = {
  InvalidInputError: "BAD_USER_INPUT",
  ConflictError: "CONFLICT",
  NotFoundError: "NOT_FOUND",
  ConfirmationRequiredError: "CONFIRMATION_REQUIRED",
  ProviderCheckError: "PROVIDER_CHECK",
};

/** Returns the success of a result union and throws its error as a `Failure`, so that pages handle one kind of error. */
export function unwrap<Result extends TypedResult>(result: Result): Success<Result> {
  if (!result.__typename.endsWith("Error")) return result as Success<Result>;
  const { __typename, message, ...parts } = result as AnyError;
  throw new Failure({
    ...parts,
    code: CODES[__typename] ?? "UPSTREAM_UNAVAILABLE",
    message: message ?? "The request failed.",
  });
}
