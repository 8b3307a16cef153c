import fc from "fast-check";
import { expect, test } from "vitest";
import { isSibling } from "./revocation.ts";
import { accountRevocationKeys, connectionRevocationKeys, isConcernedByRevocation } from "./revocationKeys.ts";

test.each([
  ["under way since before", { isEnded: false, generation: 3 }, true],
  ["that began and ended inside", { isEnded: true, generation: 9 }, true],
  ["that had ended before", { isEnded: true, generation: 5 }, false],
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
      expect(shared).toBe(one.id === other.id || isSibling(one, other));
    }),
  );
});

test("where a revoke ends its own grant only, the subject is no key", () => {
  fc.assert(
    fc.property(connection, (one) => {
      expect(connectionRevocationKeys(one, { revokeAffectsSiblings: false })).toEqual(accountRevocationKeys(one));
    }),
  );
});
