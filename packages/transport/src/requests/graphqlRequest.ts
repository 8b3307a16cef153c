import { badUserInput, type Refusal } from "@social-connect/domain";
import { GraphQLError, Lexer, Source, TokenKind } from "graphql";
import type { DefinitionShape, DocumentShape, SelectionSetShape } from "../documents/documentLimits.ts";

/** The media type of every request to a GraphQL endpoint. Source: service description, part 4. */
const REQUEST_MEDIA_TYPE = "application/json";

/**
 * No document within the limits comes near this many tokens. A parser calls itself for each level: at 4,000 tokens a
 * nest of selections overflowed the stack, at 1,500 it stays far from it.
 */
export const MAX_DOCUMENT_TOKENS = 1_500;

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

/** BAD_USER_INPUT for a body of another type than JSON: no form, multipart or bare query text. */
export function checkMediaType(contentType: string | null): Refusal | null {
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  return mediaType === REQUEST_MEDIA_TYPE
    ? null
    : badUserInput("The request must be JSON with content-type application/json.");
}

/** Parsed JSON; undefined for a text that is not JSON. `text` is null when it was not UTF-8. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** The one JSON object that a request is; BAD_USER_INPUT for a batch and for anything else. */
export function readJsonObject(
  body: unknown,
): { readonly body: Readonly<Record<string, unknown>> } | { readonly violation: Refusal } {
  if (body === undefined) return refused("The request body is not valid JSON.");
  if (Array.isArray(body)) return refused("Batched requests are not accepted: send one operation in each request.");
  if (!isObject(body)) return refused("The request body must be a JSON object.");
  // The server's library takes such an object for a promise.
  return Object.hasOwn(body, "then") ? refused("The request body must not have a member `then`.") : { body };
}

/** The operation that a request's object holds. Source: service description, part 4. */
export function readGraphqlRequest(
  body: Readonly<Record<string, unknown>>,
): { readonly request: GraphqlRequest } | { readonly violation: Refusal } {
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== "string") return refused("The request body needs the operation's text in `query`.");
  if (variables != null && !isObject(variables)) return refused("`variables` must be an object.");
  if (extensions != null && !isObject(extensions)) return refused("`extensions` must be an object.");
  if (operationName != null && typeof operationName !== "string") return refused("`operationName` must be a string.");
  return {
    request: { query, ...(variables != null && { variables }), ...(operationName ? { operationName } : {}) },
  };
}

/**
 * The longest body that is parsed and validated before the caller's key is checked: `status` needs none. Longer ones took
 * 7 ms to parse, and their documents 40 ms, a hundred times what a refusal takes.
 */
const MAX_KEYLESS_LENGTH = 1_024;

/** False for a body that is only read for a caller with a valid key. null: it was not UTF-8. */
export function isReadWithoutKey(body: string | null): boolean {
  return body === null || body.length <= MAX_KEYLESS_LENGTH || body.trim().length <= MAX_KEYLESS_LENGTH;
}

/** The longest document that is. Documents for `status` have half of it. Validation compares all pairs of fields. */
const MAX_KEYLESS_TOKENS = 40;

/** False for a document that is only prepared for a caller with a valid key. Its body is read without one too. */
export function isPreparedWithoutKey(query: string): boolean {
  const lexer = new Lexer(new Source(query));
  try {
    for (let tokens = 0; tokens <= MAX_KEYLESS_TOKENS; tokens += 1)
      if (lexer.advance().kind === TokenKind.EOF) return true;
    return false;
  } catch (error) {
    // A syntax error, at which the parser stops too.
    if (error instanceof GraphQLError) return true;
    throw error;
  }
}

const UNKNOWN = "";
const KEYLESS_ROOT_FIELDS: ReadonlySet<string> = new Set(["status", "__typename"]);

/** True when a document's root fields are only `status`, which needs no key. Source: service description, part 5. */
export function needsNoKey(rootFields: readonly string[]): boolean {
  return rootFields.every((name) => KEYLESS_ROOT_FIELDS.has(name));
}

/**
 * Names of the root fields of a document's one operation, with repetitions, in fragments or without. A missing part of an
 * invalid document has an empty name.
 */
export function rootFields({ definitions }: DocumentShape): string[] {
  const fieldsOf = (selectionSet: SelectionSetShape | undefined): string[] => {
    if (selectionSet === undefined) return [UNKNOWN];
    return selectionSet.selections.flatMap(({ kind, name, selectionSet: inner }) => {
      if (kind === "Field") return [name?.value ?? UNKNOWN];
      if (kind === "InlineFragment") return fieldsOf(inner);
      const isSpread = (one: DefinitionShape) => one.kind === "FragmentDefinition" && one.name?.value === name?.value;
      return fieldsOf(definitions.find(isSpread)?.selectionSet);
    });
  };
  return fieldsOf(definitions.find(({ kind }) => kind === "OperationDefinition")?.selectionSet);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(message: string): { readonly violation: Refusal } {
  return { violation: badUserInput(message) };
}
