import type { GraphqlRequest, Refusal } from "@social-connect/domain";
import { checkMediaType, readGraphqlRequest, readJsonObject } from "@social-connect/domain";
import { GraphQLError } from "graphql";

/** A request as it came in; its size was bounded before. */
export interface ReceivedRequest {
  readonly contentType: string | null;
  /** null when it was not UTF-8. */
  readonly body: string | null;
}

/**
 * One JSON object with one operation, and nothing else: no batch, form, multipart or bare query text (service
 * description, part 4). `refuse` looks at an object before its query is looked at.
 */
export function readRequest<Refusal extends Error = never>(
  { contentType, body }: ReceivedRequest,
  refuse: (body: Readonly<Record<string, unknown>>) => Refusal | null = () => null,
): GraphqlRequest | GraphQLError | Refusal {
  const violation = checkMediaType(contentType);
  if (violation !== null) return asError(violation);
  const read = readJsonObject(body);
  if ("violation" in read) return asError(read.violation);
  const refusal = refuse(read.body);
  if (refusal !== null) return refusal;
  const parsed = readGraphqlRequest(read.body);
  return "violation" in parsed ? asError(parsed.violation) : parsed.request;
}

export function asError({ message, code }: Refusal): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
