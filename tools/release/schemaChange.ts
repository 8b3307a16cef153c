import { CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema, GraphQLError, type GraphQLSchema } from "graphql";

/** How much of a release a change is, from nothing to what breaks a caller. */
export const BUMPS = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof BUMPS)[number];

export interface SchemaChange {
  readonly bump: Bump;
  /** The changes that decide it. */
  readonly reasons: readonly string[];
}

/** The larger of two. */
export function larger(one: Bump, other: Bump): Bump {
  return BUMPS.indexOf(one) >= BUMPS.indexOf(other) ? one : other;
}

/**
 * The effect of a schema change on callers: major if a valid request or response becomes invalid, minor for additions
 * (including enum values, which callers treat as data), patch for descriptions, none without a change.
 */
export async function judgeSchemaChange(released: string, current: string): Promise<SchemaChange> {
  const changes = await diff(build(released), build(current));
  const bumps = changes.map(({ type, criticality, message }) => {
    const isWording = type.includes("DESCRIPTION");
    return { bump: criticality.level === CriticalityLevel.Breaking ? "major" : isWording ? "patch" : "minor", message };
  }) satisfies readonly { bump: Bump; message: string }[];
  const bump = bumps.map((change) => change.bump).reduce<Bump>(larger, "none");
  return { bump, reasons: bumps.filter((change) => change.bump === bump).map(({ message }) => message) };
}

function build(text: string): GraphQLSchema {
  try {
    return buildSchema(text);
  } catch (error) {
    if (error instanceof GraphQLError) throw new Error(`the schema cannot be read: ${error.message}`);
    throw error;
  }
}
