import { expect, test } from "vitest";
import { findMissingBump, type PendingChangeset } from "./pendingBumps.ts";
import type { Bump } from "./schemaChange.ts";

const CONTRACT = "@social-connect/contract";

function changeset(type: Bump, name = CONTRACT): PendingChangeset {
  return { id: `${type}-of-${name}`, releases: [{ name, type }] };
}

const BREAKING = { bump: "major", reasons: ["Thing.name was removed."] } as const;
const ADDED = { bump: "minor", reasons: ["New: nick: String"] } as const;

test("a breaking change cannot land as less than a major one", () => {
  for (const changesets of [[], [changeset("patch")], [changeset("minor"), changeset("patch")]]) {
    const problem = findMissingBump(BREAKING, changesets, CONTRACT);
    expect(problem).toContain("is major for @social-connect/contract");
    expect(problem).toContain("Thing.name was removed.");
  }
  expect(findMissingBump(BREAKING, [changeset("minor"), changeset("major")], CONTRACT)).toBeNull();
});

test("requires a minor bump for an addition, and accepts a larger one", () => {
  expect(findMissingBump(ADDED, [changeset("patch")], CONTRACT)).toContain("the changesets say patch");
  expect(findMissingBump(ADDED, [], CONTRACT)).toContain("no changeset names it");
  expect(findMissingBump(ADDED, [changeset("minor")], CONTRACT)).toBeNull();
  expect(findMissingBump(ADDED, [changeset("major")], CONTRACT)).toBeNull();
});

test("what is written of another package does not count", () => {
  expect(findMissingBump(ADDED, [changeset("major", "@social-connect/sdk")], CONTRACT)).not.toBeNull();
});

test("requires nothing without a change", () => {
  expect(findMissingBump({ bump: "none", reasons: [] }, [], CONTRACT)).toBeNull();
});
