import { GraphQLError } from "graphql";
import { AppError } from "../../platform/appError.ts";

/** A JSON text and the HTTP status it goes out with. */
export interface Answer {
  readonly status: 200 | 400;
  readonly body: string;
}

/** What a resolver threw; null for errors of GraphQL itself. */
export function originalOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError ? originalOf(error.originalError) : null;
}

/** The failure with a code of the contract that was thrown; null for anything else. */
export function appErrorOf(error: unknown): AppError | null {
  const original = originalOf(error);
  return original instanceof AppError ? original : null;
}

/** What GraphQL itself finds wrong in an operation that runs is a fault of ours: the caller's part was judged before. */
export function asFault(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError) return error;
  return new GraphQLError(error.message, { path: error.path ?? null, originalError: new Error(error.message) });
}
