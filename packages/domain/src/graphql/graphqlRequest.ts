import type { Refusal } from "../decisions/refusal.ts";
import { badUserInput } from "../decisions/refusal.ts";
import type { DefinitionShape, DocumentShape, SelectionSetShape } from "./documentLimits.ts";

/** The media type of every request to a GraphQL endpoint. Source: service description, part 4. */
export const REQUEST_MEDIA_TYPE = "application/json";

/**
 * No document within the limits comes near this many tokens. A parser calls itself for each level: at 4,000 tokens a
 * nest of selections overflowed the stack, at 1,500 it stays far from it.
 */
export const MAX_DOCUMENT_TOKENS = 1_500;

/** What a caller is told of a failure that has no code of its own. It says nothing of the inside. */
export const UNEXPECTED_FAILURE_MESSAGE = "The service could not complete the request. Try again later.";

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

/** The one JSON object that a request is; BAD_USER_INPUT for a batch and for anything else. `text` is null when it was not UTF-8. */
export function readJsonObject(
  text: string | null,
): { readonly body: Readonly<Record<string, unknown>> } | { readonly violation: Refusal } {
  let body: unknown;
  try {
    body = JSON.parse(text ?? "");
  } catch {
    return refused("The request body is not valid JSON.");
  }
  if (Array.isArray(body)) return refused("Batched requests are not accepted: send one operation in each request.");
  return isObject(body) ? { body } : refused("The request body must be a JSON object.");
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

const KEYLESS_ROOT_FIELDS: ReadonlySet<string> = new Set(["status", "__typename"]);

/**
 * True when a document's one operation asks for nothing but `status`, which needs no key, in fragments or without. The
 * document is a valid one: its fragments are there, and none spreads itself. Source: service description, part 5.
 */
export function needsNoKey({ definitions }: DocumentShape): boolean {
  const isKeyless = (selectionSet: SelectionSetShape | undefined): boolean =>
    selectionSet?.selections.every(({ kind, name, selectionSet: inner }) => {
      if (kind === "Field") return name !== undefined && KEYLESS_ROOT_FIELDS.has(name.value);
      if (kind === "InlineFragment") return isKeyless(inner);
      const isSpread = (one: DefinitionShape) => one.kind === "FragmentDefinition" && one.name?.value === name?.value;
      return isKeyless(definitions.find(isSpread)?.selectionSet);
    }) ?? false;
  return isKeyless(definitions.find(({ kind }) => kind === "OperationDefinition")?.selectionSet);
}

/**
 * Longest message of a validation error, in UTF-16 units. JSON writes a unit as at most six bytes, so that an answer with
 * one error stays below 2 KB whatever the caller wrote.
 */
const MAX_MESSAGE_LENGTH = 300;
const ELLIPSIS = "\u2026";

/**
 * A validation error's message as a caller may read it. It has no suggestions, which would teach the schema to someone who
 * guesses at it, and a long one loses its middle: names and values of the caller stand there, the reason at both ends.
 */
export function validationMessage(message: string): string {
  const text = message.replace(/ ?Did you mean [\s\S]*$/, "");
  if (text.length <= MAX_MESSAGE_LENGTH) return text;
  const half = Math.floor((MAX_MESSAGE_LENGTH - ELLIPSIS.length) / 2);
  return text.slice(0, half) + ELLIPSIS + text.slice(-half);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(message: string): { readonly violation: Refusal } {
  return { violation: badUserInput(message) };
}
