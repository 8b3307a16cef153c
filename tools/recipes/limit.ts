import type { Recipe } from "./edits.ts";

/** The titles of the tests that fail because they state the number. */
export const STATING_TESTS = [
  "are at most 5 for a subject and provider; the wait is until the oldest reaches its deadline",
  "forty concurrent attempts of one subject: five are created",
  "the limits have their specified values",
];

export const LIMIT: Recipe = {
  name: "limit",
  mostFiles: 1,
  edits: [
    {
      step: "The number",
      file: "packages/contract/src/limits.ts",
      replace: "unfinishedConnectAttempts: 5,",
      by: "unfinishedConnectAttempts: 6,",
    },
  ],
};
