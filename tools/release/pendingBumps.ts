import type { Bump, SchemaChange } from "./schemaChange.ts";
import { BUMPS, larger } from "./schemaChange.ts";

/** A changeset that waits for the next release: what it says of each package. */
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

/** null when what is written down is enough for what changed; else what to do. */
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
