import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connectionsOfOwner, type GrantedConnection, matchesFilter, siblingsOf } from "./siblings.ts";
import { ANY_CONNECTION, CONNECTION } from "./testing/connection.ts";

const isSibling = (one: GrantedConnection, other: GrantedConnection) => matchesFilter(other, siblingsOf(one));

describe("siblings", () => {
  const a: GrantedConnection = { ...CONNECTION, id: "a", providerUserKey: "person-1" };
  const b = { ...a, id: "b", providerAccountId: "account-2" };
  const elsewhere = { tenantKey: "t-2", externalSubjectId: "s-2" };

  test.each([
    ["the same scope and person", b, true],
    ["the same scope, another person", { ...b, providerUserKey: "person-2" }, true],
    ["the same scope, user unknown", { ...b, providerUserKey: null }, true],
    ["another scope, the same person", { ...b, ...elsewhere }, true],
    [
      "another subject of the tenant and person",
      { ...b, externalSubjectId: "s-2", providerUserKey: "person-2" },
      false,
    ],
    ["the same subject id in another tenant", { ...b, tenantKey: "t-2", providerUserKey: "person-2" }, false],
    ["another scope, user unknown", { ...b, ...elsewhere, providerUserKey: null }, false],
    ["another scope and user, the same account", { ...a, id: "b", ...elsewhere, providerUserKey: "person-2" }, true],
    ["another scope, user unknown, the same account", { ...a, id: "b", ...elsewhere, providerUserKey: null }, true],
    ["another application, the same account", { ...a, id: "b", applicationId: "app-2" }, false],
    ["another provider, the same account id", { ...a, id: "b", provider: "PROVIDER_B" as const }, false],
    ["itself", a, false],
  ])("with %s", (_, other, expected) => {
    expect(isSibling(a, other)).toBe(expected);
    expect(isSibling(other, a)).toBe(expected);
  });

  test("two unknown users of two accounts in two scopes are different users", () => {
    expect(isSibling({ ...a, providerUserKey: null }, { ...b, ...elsewhere, providerUserKey: null })).toBe(false);
  });

  test("two subjects that share an account are siblings where the user behind it is unknown", () => {
    const unknown = { ...a, providerUserKey: null };
    expect(isSibling(unknown, { ...unknown, id: "b", ...elsewhere })).toBe(true);
  });

  test("the relation is symmetric, and no connection is its own sibling", () => {
    fc.assert(
      fc.property(ANY_CONNECTION, ANY_CONNECTION, (one, other) => {
        expect(isSibling(one, other)).toBe(isSibling(other, one));
        expect(isSibling(one, one)).toBe(false);
      }),
    );
  });
});

test("connections of an account or its user are those of one OAuth client, in any application", () => {
  const of = (owner: { providerAccountId: string; providerUserKey: string | null }) =>
    matchesFilter(
      { registrationId: "r-1", providerAccountId: "account-1", providerUserKey: "user-1" },
      connectionsOfOwner("r-1", owner),
    );
  expect(of({ providerAccountId: "account-1", providerUserKey: null })).toBe(true);
  expect(of({ providerAccountId: "account-2", providerUserKey: "user-1" })).toBe(true);
  expect(of({ providerAccountId: "account-2", providerUserKey: null })).toBe(false);
  const unknown = { registrationId: "r-1", providerAccountId: "account-1", providerUserKey: null };
  const other = connectionsOfOwner("r-1", { providerAccountId: "account-2", providerUserKey: null });
  expect(matchesFilter(unknown, other)).toBe(false);
  expect(matchesFilter({ ...unknown, registrationId: "r-2" }, connectionsOfOwner("r-1", unknown))).toBe(false);
});
