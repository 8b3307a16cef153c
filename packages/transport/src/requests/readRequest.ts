import { AppError, type Refusal } from "@social-connect/domain";
import type { GraphQLError } from "graphql";
import { refusalError } from "../responses/serializeError.ts";
import { checkMediaType, type GraphqlRequest, readGraphqlRequest, readJsonObject } from "./graphqlRequest.ts";

export interface ReceivedRequest {
  readonly contentType: string | null;
  /** The parsed JSON; undefined when it was not JSON. */
  readonly body: unknown;
}

/**
 * Reads one JSON object with one operation: no batch, form, multipart or bare query text. `checkBody` checks the object
 * before its query; its refusal is an answer of the operation and not of the request's shape.
 * Source: service description, part 4.
 */
export function readRequest(
  { contentType, body }: ReceivedRequest,
  checkBody: (body: Readonly<Record<string, unknown>>) => Refusal | null = () => null,
): GraphqlRequest | GraphQLError | AppError {
  const violation = checkMediaType(contentType);
  if (violation !== null) return refusalError(violation);
  const read = readJsonObject(body);
  if ("violation" in read) return refusalError(read.violation);
  const refusal = checkBody(read.body);
  if (refusal !== null) return new AppError(refusal);
  const parsed = readGraphqlRequest(read.body);
  return "violation" in parsed ? refusalError(parsed.violation) : parsed.request;
}
