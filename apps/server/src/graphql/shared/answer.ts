import { GraphQLError } from "graphql";

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

/** What GraphQL itself finds wrong in an operation that runs is a fault of ours: the caller's part was judged before. */
export function asFault(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError) return error;
  return new GraphQLError(error.message, { path: error.path ?? null, originalError: new Error(error.message) });
}
