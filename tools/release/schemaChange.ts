/**
 * Compares the published schemas with those of the last release and requires a matching changeset: breaking changes are
 * major, additions minor. Part of `pnpm lint`.
 */
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readChangesets } from "@changesets/read";
import { CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema } from "graphql";
import { ROOT } from "../packages/publishedPackages.ts";

const CONTRACT = "@social-connect/contract";
const FOLDER = join(ROOT, "packages/contract");
/** The schemas as the last release had them; written by `pnpm release --prepare` and by nothing else. */
const RELEASED = join(FOLDER, "released");
const SCHEMAS = ["consumer.graphql", "admin.graphql"];

/** How much of a release a change is, from nothing to what breaks a caller. */
const BUMPS = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof BUMPS)[number];

export interface SchemaChange {
  readonly bump: Bump;
  /** The changes that decide it. */
  readonly reasons: readonly string[];
}

/** A changeset for the next release: its bump for each package. */
export interface PendingChangeset {
  readonly releases: readonly { readonly name: string; readonly type: Bump }[];
}

function largest(bumps: readonly Bump[]): Bump {
  return BUMPS.findLast((bump) => bumps.includes(bump)) ?? "none";
}

/**
 * The effect of a schema change on callers: major if a valid request or response becomes invalid, minor for additions
 * (including enum values, which callers treat as data), patch for descriptions, none without a change.
 */
export async function judgeSchemaChange(released: string, current: string): Promise<SchemaChange> {
  const changes = (await diff(buildSchema(released), buildSchema(current))).map(({ type, criticality, message }) => {
    const isWording = type.includes("DESCRIPTION");
    const bump: Bump = criticality.level === CriticalityLevel.Breaking ? "major" : isWording ? "patch" : "minor";
    return { bump, message };
  });
  const bump = largest(changes.map((change) => change.bump));
  return { bump, reasons: changes.filter((change) => change.bump === bump).map(({ message }) => message) };
}

/** null if the changesets cover the changes; otherwise what to do. */
export function findMissingBump(change: SchemaChange, changesets: readonly PendingChangeset[]): string | null {
  const releases = changesets.flatMap((changeset) => changeset.releases).filter(({ name }) => name === CONTRACT);
  const pending = largest(releases.map(({ type }) => type));
  if (largest([pending, change.bump]) === pending) return null;
  const listed = change.reasons.map((reason) => `  ${reason}`).join("\n");
  const written = pending === "none" ? "no changeset names it" : `the changesets say ${pending}`;
  return `the schema's change is ${change.bump} for ${CONTRACT}, and ${written}; \`pnpm changeset\` writes one\n${listed}`;
}

/** The current schemas count as released. */
export function keepReleasedSchemas(): void {
  for (const file of SCHEMAS) cpSync(join(FOLDER, file), join(RELEASED, file));
}

if (import.meta.main) {
  const changes = SCHEMAS.map(async (file): Promise<SchemaChange> => {
    const released = join(RELEASED, file);
    if (!existsSync(released)) return { bump: "minor", reasons: [`${file} was never released.`] };
    return judgeSchemaChange(readFileSync(released, "utf8"), readFileSync(join(FOLDER, file), "utf8"));
  });
  const judged = await Promise.all(changes);
  const change = { bump: largest(judged.map(({ bump }) => bump)), reasons: judged.flatMap(({ reasons }) => reasons) };
  const problem = findMissingBump(change, await readChangesets(ROOT));
  if (problem === null) console.log(`the changesets cover the schema changes since the last release (${change.bump})`);
  else {
    console.error(problem);
    process.exitCode = 1;
  }
}
