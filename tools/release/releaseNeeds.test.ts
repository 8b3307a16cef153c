import { expect, test } from "vitest";
import { type ReleaseFacts, releaseNeeds } from "./releaseNeeds.ts";

const READY: ReleaseFacts = {
  hasUncommittedChanges: false,
  branch: "main",
  pendingChangesets: [],
  repository: "https://git.example.com/social/connect",
  origin: "git@git.example.com:social/connect.git",
  registryUser: "publisher",
  canProveProvenance: true,
};

test("with everything in place nothing is missing", () => {
  expect(releaseNeeds(READY).filter(({ isMet }) => !isMet)).toEqual([]);
});

test.each<[Partial<ReleaseFacts>, string]>([
  [{ hasUncommittedChanges: true }, "commit or put away"],
  [{ branch: "feature" }, "merge feature into main"],
  [{ pendingChangesets: ["one", "two"] }, "includes 2"],
  [{ origin: null }, "git remote `origin`"],
  [{ origin: "https://git.example.com/fork/connect.git" }, "pnpm release repository"],
  [{ registryUser: null }, "npm login"],
  [{ canProveProvenance: false }, "OpenID token"],
])("reports what is missing with its solution: %o", (missing, how) => {
  const unmet = releaseNeeds({ ...READY, ...missing }).filter(({ isMet }) => !isMet);
  expect(unmet).toEqual([expect.objectContaining({ how: expect.stringContaining(how) })]);
});
