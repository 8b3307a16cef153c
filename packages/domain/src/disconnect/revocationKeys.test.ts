import fc from "fast-check";
import { expect, test } from "vitest";
import { accountRevocationKeys, connectionRevocationKeys, isConcernedByRevocation } from "./revocationKeys.ts";
import { matchesFilter, siblingsOf } from "./siblings.ts";
import { ANY_CONNECTION } from "./testing/connection.ts";

test.each([
  ["in progress since before", { isEnded: false, generation: 3 }, true],
  ["that began and ended during it", { isEnded: true, generation: 9 }, true],
  ["that had ended before it", { isEnded: true, generation: 5 }, false],
] as const)("a revocation %s concerns an exchange: %s", (_, revocation, expected) => {
  expect(isConcernedByRevocation(revocation, 5)).toBe(expected);
});

const texts = (keys: readonly (readonly string[])[]) => keys.map((key) => JSON.stringify(key));

test("two connections share a key exactly when they are siblings", () => {
  fc.assert(
    fc.property(ANY_CONNECTION, ANY_CONNECTION, (one, drawn) => {
      const other = { ...drawn, id: "another" };
      const [ours, theirs] = [one, other].map((each) =>
        texts(connectionRevocationKeys(each, { revokeAffectsSiblings: true })),
      );
      const shared = ours?.some((key) => theirs?.includes(key));
      expect(shared).toBe(matchesFilter(other, siblingsOf(one)));
    }),
  );
});

test("the subject is not a key if a revoke ends only its own grant", () => {
  fc.assert(
    fc.property(ANY_CONNECTION, (one) => {
      expect(connectionRevocationKeys(one, { revokeAffectsSiblings: false })).toEqual(accountRevocationKeys(one));
    }),
  );
});
