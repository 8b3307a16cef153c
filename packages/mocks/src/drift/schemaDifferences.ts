import { type Change, diff } from "@graphql-inspector/core";
import { buildSchema } from "graphql";

/**
 * What a difference means to a caller that was tested against the mocks. `breaking`: a request or response that is valid
 * here is not valid there. `dangerous`: a response may hold a value that it never holds here, or a request may mean
 * something else. `safe`: the service offers more.
 */
export type DifferenceLevel = "breaking" | "dangerous" | "safe";

/** One difference between a service's schema and the schema of the mocks. */
export interface SchemaDifference {
  /** What it means to a caller. */
  readonly level: DifferenceLevel;
  /** What differs, e.g. `Connection.profile`, `Query.connections(first:)` or `JobStatus.QUEUED`. */
  readonly coordinate: string;
  /** How, as a sentence. */
  readonly text: string;
}

const LEVELS = ["breaking", "dangerous", "safe"] as const;
const LEVEL_OF = { BREAKING: "breaking", DANGEROUS: "dangerous", NON_BREAKING: "safe" } as const;
const IGNORED = /DESCRIPTION|DEPRECATION|DIRECTIVE_USAGE/;
/** Changes that include everything below their path. */
const WHOLE = /^(TYPE|FIELD|DIRECTIVE)_(ADDED|REMOVED)$|^TYPE_KIND_CHANGED$/;

/** Compares the schema that a service publishes with the schema of the mocks, the breaking differences first. */
export async function schemaDifferences(mocks: string, service: string): Promise<readonly SchemaDifference[]> {
  const changes = await diff(buildSchema(mocks), buildSchema(service));
  const whole = changes.flatMap(({ type, path }) => (WHOLE.test(type) && path !== undefined ? [`${path}.`] : []));
  const differences = changes
    .filter(({ type, path = "" }) => !IGNORED.test(type) && !whole.some((parent) => path.startsWith(parent)))
    .map((change) => ({ level: levelOf(change), coordinate: coordinateOf(change), text: `${change.message}.` }));
  return LEVELS.flatMap((level) => differences.filter((difference) => difference.level === level));
}

/** An optional input field is dangerous, as in graphql-js: a client that sends a wider object may now mean something else. */
function levelOf({ type, criticality }: Change): DifferenceLevel {
  const level = LEVEL_OF[criticality.level];
  return type === "INPUT_FIELD_ADDED" && level === "safe" ? "dangerous" : level;
}

/** The change's path as a schema coordinate. */
function coordinateOf({ type, path = "", meta }: Change): string {
  const last = path.lastIndexOf(".");
  if (type.includes("_ARGUMENT_")) return `${path.slice(0, last)}(${path.slice(last + 1)}:)`;
  const member = meta.addedUnionMemberTypeName ?? meta.removedUnionMemberTypeName;
  if (member !== undefined) return `${path}.${member}`;
  const name = meta.addedInterfaceName ?? meta.removedInterfaceName;
  return name === undefined ? path : `${path} implements ${name}`;
}
