import { BUMPS, type Bump, larger, type SchemaChange } from "./schemaChange.ts";

/** A changeset for the next release: its bump for each package. */
export interface PendingChangeset {
  readonly id: string;
  readonly releases: readonly { readonly name: string; readonly type: Bump }[];
}

/** How much a package is going to change with the next release, by the changesets that wait for it. */
export function pendingBump(changesets: readonly PendingChangeset[], name: string): Bump {
  return changesets
    .flatMap(({ releases }) => releases)
    .filter((release) => release.name === name)
    .reduce<Bump>((sum, { type }) => larger(sum, type), "none");
}

/** null if the changesets cover the changes; otherwise what to do. */
export function findMissingBump(
  change: SchemaChange,
  changesets: readonly PendingChangeset[],
  name: string,
): string | null {
  const pending = pendingBump(changesets, name);
  if (BUMPS.indexOf(pending) >= BUMPS.indexOf(change.bump)) return null;
  const listed = change.reasons.map((reason) => `  ${reason}`).join("\n");
  const written = pending === "none" ? "no changeset names it" : `the changesets say ${pending}`;
  return `the schema's change is ${change.bump} for ${name}, and ${written}; \`pnpm changeset\` writes one\n${listed}`;
}
