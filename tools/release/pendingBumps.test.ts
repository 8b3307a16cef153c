import { expect, test } from "vitest";
import { type Bump, findMissingBump, type PendingChangeset } from "./schemaChange.ts";

const CONTRACT = "@social-connect/contract";

function changeset(type: Bump, name = CONTRACT): PendingChangeset {
  return { releases: [{ name, type }] };
}

const BREAKING = { bump: "major", reasons: ["Thing.name was removed."] } as const;
const ADDED = { bump: "minor", reasons: ["New: nick: String"] } as const;

test("a breaking change cannot land as less than a major one", () => {
  for (const changesets of [[], [changeset("patch")], [changeset("minor"), changeset("patch")]]) {
    const problem = findMissingBump(BREAKING, changesets);
    expect(problem).toContain("is major for @social-connect/contract");
    expect(problem).toContain("Thing.name was removed.");
  }
  expect(findMissingBump(BREAKING, [changeset("minor"), changeset("major")])).toBeNull();
});

test("requires a minor bump for an addition, and accepts a larger one", () => {
  expect(findMissingBump(ADDED, [changeset("patch")])).toContain("the changesets say patch");
  expect(findMissingBump(ADDED, [])).toContain("no changeset names it");
  expect(findMissingBump(ADDED, [changeset("minor")])).toBeNull();
  expect(findMissingBump(ADDED, [changeset("major")])).toBeNull();
});

test("what is written of another package does not count", () => {
  expect(findMissingBump(ADDED, [changeset("major", "@social-connect/sdk")])).not.toBeNull();
});

test("requires nothing without a change", () => {
  expect(findMissingBump({ bump: "none", reasons: [] }, [])).toBeNull();
});
