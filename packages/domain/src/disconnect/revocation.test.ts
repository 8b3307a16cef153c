import { JOB_STATUSES } from "@social-connect/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkDisconnectSettled,
  immediateRevokeOutcome,
  isSibling,
  latestRemovedGrant,
  revokeOutcome,
  upstreamRevocationPending,
} from "./revocation.ts";

describe("a revoke receipt", () => {
  test.each(["revoked", "app-removed"] as const)("succeeds when the grant is gone: %s", (result) => {
    expect(revokeOutcome(result)).toEqual({ status: "SUCCEEDED", errorCode: null, creatorAction: null });
  });

  test.each([
    ["rejected", "REVOKE_REJECTED"],
    ["unsupported", "REVOKE_UNSUPPORTED"],
  ] as const)("that ends %s says so, and that the person has to remove the app", (result, errorCode) => {
    expect(revokeOutcome(result)).toEqual({ status: "FAILED", errorCode, creatorAction: "REMOVE_APP_AT_PROVIDER" });
  });

  test("is settled at the disconnect where the provider need not or cannot be asked", () => {
    expect(immediateRevokeOutcome({ canRevoke: true, appRemoved: false })).toBeNull();
    expect(immediateRevokeOutcome({ canRevoke: true, appRemoved: true })).toMatchObject({ status: "SUCCEEDED" });
    expect(immediateRevokeOutcome({ canRevoke: false, appRemoved: true })).toMatchObject({ status: "SUCCEEDED" });
    expect(immediateRevokeOutcome({ canRevoke: false, appRemoved: false })).toMatchObject({
      errorCode: "REVOKE_UNSUPPORTED",
    });
  });
});

test("the upstream revocation is pending until the revoke job has succeeded", () => {
  expect(JOB_STATUSES.filter((status) => !upstreamRevocationPending(status))).toEqual(["SUCCEEDED"]);
});

describe("a message that the person removed the app", () => {
  const now = new Date("2026-03-01T09:00:00Z");
  const removedAt = new Date("2026-03-01T08:00:00Z");

  test("ends grants until the removal, allowing for whole seconds and another clock, and no later one", () => {
    expect(latestRemovedGrant(removedAt, now)).toEqual(new Date("2026-03-01T08:00:05Z"));
  });

  test("ends every grant until now where it does not say when", () => {
    expect(latestRemovedGrant(null, now)).toEqual(now);
  });
});

describe("siblings", () => {
  const a = {
    id: "a",
    applicationId: "app-1",
    provider: "PROVIDER_A",
    tenantKey: "t-1",
    externalSubjectId: "s-1",
    providerAccountId: "account-1",
    providerUserKey: "person-1",
  } as const;
  const b = { ...a, id: "b", providerAccountId: "account-2" };
  const elsewhere = { tenantKey: "t-2", externalSubjectId: "s-2" };

  test.each([
    ["the same scope and person", b, true],
    ["the same scope, another person", { ...b, providerUserKey: "person-2" }, true],
    ["the same scope, nobody known", { ...b, providerUserKey: null }, true],
    ["another scope, the same person", { ...b, ...elsewhere }, true],
    [
      "another subject of the tenant, another person",
      { ...b, externalSubjectId: "s-2", providerUserKey: "person-2" },
      false,
    ],
    [
      "the same subject id in another tenant, another person",
      { ...b, tenantKey: "t-2", providerUserKey: "person-2" },
      false,
    ],
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

  test("two unknown users of two accounts in two scopes are not taken for one user", () => {
    expect(isSibling({ ...a, providerUserKey: null }, { ...b, ...elsewhere, providerUserKey: null })).toBe(false);
  });

  test("two subjects that share an account are siblings where the user behind it is unknown", () => {
    const unknown = { ...a, providerUserKey: null };
    expect(isSibling(unknown, { ...unknown, id: "b", ...elsewhere })).toBe(true);
  });

  test("the relation is symmetric, and no connection is its own sibling", () => {
    const letter = fc.constantFrom("x", "y");
    const facts = fc.record({
      id: letter,
      applicationId: letter,
      provider: fc.constantFrom("PROVIDER_A", "PROVIDER_B"),
      tenantKey: letter,
      externalSubjectId: letter,
      providerAccountId: letter,
      providerUserKey: fc.option(letter),
    });
    fc.assert(
      fc.property(facts, facts, (one, other) => {
        expect(isSibling(one, other)).toBe(isSibling(other, one));
        expect(isSibling(one, one)).toBe(false);
      }),
    );
  });
});

test("connecting is forbidden while a disconnect settles", () => {
  expect(checkDisconnectSettled(true)).toMatchObject({ code: "FORBIDDEN" });
  expect(checkDisconnectSettled(false)).toBeNull();
});
