import {
  ConfigurationError,
  type OwnRequest,
  requireObject,
  revealed,
  type SocialConnectError,
  type Validator,
} from "@social-connect/sdk-core";
import { LIMITS } from "../_generated/limits.ts";
import { type OperationName, REPEATING, type Repeating } from "../_generated/operations.ts";
import { mayRepeatAs } from "../wire/retryRules.ts";
import type { RequestName } from "../wire/settings.ts";
import { type Node, type ParsedDocument, parseDocument } from "./parseDocument.ts";
import { printDocument } from "./printDocument.ts";
import { shapeOf } from "./shapeOf.ts";

/**
 * A document with the types of its result and its variables, as code generators write it: a `TypedDocumentNode`, a
 * `TypedDocumentString` or a gql.tada document.
 */
export interface TypedDocument<Result, Variables> {
  /** Only a type: it has no value. */
  readonly __apiType?: ((variables: Variables) => Result) | undefined;
}

/** A document of graphql-js without types. */
export interface UntypedDocument {
  /** `Document`. */
  readonly kind: string;
  /** Operations and fragments. */
  readonly definitions: readonly unknown[];
  /** A typed document is checked against its own types. */
  readonly __apiType?: never;
}

/**
 * Checks a document as the service would and prepares its request. Throws ConfigurationError for a document that the
 * service would refuse, so that nothing is sent.
 */
export function ownRequest(document: unknown, variables: unknown): OwnRequest<RequestName> {
  // Code generators have a subclass of String.
  const isText = Object.prototype.toString.call(document) === "[object String]";
  const query = isText ? `${document}` : printDocument(document);
  const parsed = parseDocument(query);
  const [operation, ...others] = parsed.operations;
  if (operation === undefined || others.length > 0 || operation.kind === "subscription") {
    const found = operation?.kind === "subscription" ? "a subscription" : String(parsed.operations.length);
    throw new ConfigurationError(`The document must contain exactly one query or mutation, not ${found}.`);
  }
  const { kind, nodes } = operation;
  const roots = checkedRoots(nodes, parsed).filter((name) => name !== "__typename");
  const isIdempotent = roots.every((root) => isOperation(root) && REPEATING[root] !== "another");
  const effect: Repeating = kind === "query" ? "read" : isIdempotent ? "same" : "another";
  const [only = ""] = roots;
  const isValid: Validator = shapeOf(nodes, parsed);
  return {
    operation: roots.length === 1 && isOperation(only) ? only : "request",
    document: query,
    variables: requireObject("variables", variables),
    serialize: bodyOf,
    isValid,
    mayRepeat: (error: SocialConnectError) => mayRepeatAs(effect, error),
    isOnce: effect === "another",
  };
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(REPEATING, name);
}

/** Fields that only the methods return, as a Secret, which a log does not show. */
const SECRET_FIELDS: readonly string[] = ["launchToken", "resultProof"];

/**
 * The names of the root fields. Counts as the service does: each root field costs 10 and each other field 1, and fragments
 * count at each spread. Stops at the first excess, so fragments that spread each other take no time.
 */
function checkedRoots(nodes: readonly Node[], { fragments }: ParsedDocument): readonly string[] {
  const roots: string[] = [];
  const found = { depth: 0, aliases: 0, cost: 0 };
  const count = (what: keyof typeof found, value: number) => {
    found[what] = value;
    if (value <= LIMITS[what]) return;
    throw new ConfigurationError(`The document exceeds the service's limit: ${what} ${LIMITS[what]}.`);
  };
  const walk = (selection: readonly Node[], depth: number, within: readonly string[]) => {
    for (const { field, alias, spread, nodes: inner } of selection) {
      if (field !== undefined) {
        if (SECRET_FIELDS.includes(field)) {
          throw new ConfigurationError(`The document must not select ${field}: a method returns it as a Secret.`);
        }
        if (depth === 1) roots.push(field);
        if (alias !== undefined) count("aliases", found.aliases + 1);
        count("cost", found.cost + (depth === 1 ? LIMITS.costOfRootField : LIMITS.costOfNestedField));
        count("depth", Math.max(found.depth, depth));
        walk(inner, depth + 1, within);
      } else if (spread === undefined) walk(inner, depth, within);
      else {
        const fragment = fragments.get(spread);
        if (fragment === undefined || within.includes(spread)) {
          const problem = fragment === undefined ? "is not in the document" : "spreads itself";
          throw new ConfigurationError(`The fragment ${spread} ${problem}.`);
        }
        walk(fragment, depth, [...within, spread]);
      }
    }
  };
  walk(nodes, 1, []);
  return roots;
}

/** The body of the request. A Secret among the variables is sent as its text. */
function bodyOf(request: unknown): string {
  const body = JSON.stringify(request, revealSecrets);
  if (new TextEncoder().encode(body).length > LIMITS.bodyBytes) {
    throw new ConfigurationError(`The request is larger than ${LIMITS.bodyBytes} bytes.`);
  }
  return body;
}

/** Reads the value again, because JSON.stringify has called its `toJSON` already. */
function revealSecrets(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const given = this[name];
  return typeof given === "object" ? (revealed(given) ?? value) : value;
}
