import fc from "fast-check";
import { expect, test } from "vitest";
import { accountRevocationKeys, connectionRevocationKeys, isConcernedByRevocation } from "./revocationKeys.ts";
import { matchesFilter, siblingsOf } from "./siblings.ts";

test.each([
  ["in progress since before", { isEnded: false, generation: 3 }, true],
  ["that began and ended during it", { isEnded: true, generation: 9 }, true],
  ["that had ended before it", { isEnded: true, generation: 5 }, false],
] as const)("a revocation %s concerns an exchange: %s", (_, revocation, expected) => {
  expect(isConcernedByRevocation(revocation, 5)).toBe(expected);
});

const letter = fc.constantFrom("x", "y");
const connection = fc.record({
  id: fc.uuid(),
  applicationId: letter,
  provider: fc.constantFrom("PROVIDER_A", "PROVIDER_B"),
  tenantKey: letter,
  externalSubjectId: letter,
  providerAccountId: letter,
  providerUserKey: fc.option(letter),
});
const texts = (keys: readonly (readonly string[])[]) => keys.map((key) => JSON.stringify(key));

test("two connections share a key exactly when they are siblings", () => {
  fc.assert(
    fc.property(connection, connection, (one, other) => {
      const theirs = texts(connectionRevocationKeys(other, { revokeAffectsSiblings: true }));
      const shared = texts(connectionRevocationKeys(one, { revokeAffectsSiblings: true })).some((key) =>
        theirs.includes(key),
      );
      expect(shared).toBe(one.id === other.id || matchesFilter(other, siblingsOf(one)));
    }),
  );
});

test("the subject is not a key if a revoke ends only its own grant", () => {
  fc.assert(
    fc.property(connection, (one) => {
      expect(connectionRevocationKeys(one, { revokeAffectsSiblings: false })).toEqual(accountRevocationKeys(one));
    }),
  );
});
