import { describe, expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import { adminEmailOf, decideAddAdmin, decideRecognizeAdmin, decideRemoveAdmin } from "./admins.ts";

const ada = { id: "a1", email: "ada@shop.example", addedBy: "System" };

describe("adding an admin", () => {
  const add = (address: string, isListed = false) =>
    decideAddAdmin({ isListed, addedBy: "System" }, address, "a2", NOW);

  test("stores the normalised address", () => {
    expect(add("Grace@Shop.Example")).toEqual({
      patch: { id: "a2", email: "grace@shop.example", addedAt: NOW, addedBy: "System" },
      followUps: [],
      audit: {
        action: "Admin added",
        summary: "Added grace@shop.example to the admins.",
        target: { type: "ADMIN", id: "a2" },
        changes: [
          { field: "email", before: null, after: "grace@shop.example" },
          { field: "addedBy", before: null, after: "System" },
        ],
      },
    });
  });

  test("rejects an invalid address first, then an address on the list", () => {
    expect(add("grace", true)).toMatchObject({ code: "BAD_USER_INPUT", field: "email" });
    expect(add("grace@shop.example", true)).toMatchObject({ code: "CONFLICT", reason: "ALREADY_PRESENT" });
  });
});

describe("removing an admin", () => {
  const facts = { admin: ada, adminCount: 2, unrevokedKeyIds: ["k1", "k2"], sessions: 1 };

  test("revokes the admin's keys and counts them", () => {
    expect(decideRemoveAdmin(facts, NOW)).toEqual({
      patch: null,
      followUps: [{ type: "REVOKE_API_KEYS", keyIds: ["k1", "k2"], patch: { revokedAt: NOW } }],
      audit: {
        action: "Admin removed",
        summary: "Removed ada@shop.example from the admins; keys revoked: 2.",
        target: { type: "ADMIN", id: "a1" },
        changes: [
          { field: "email", before: "ada@shop.example", after: null },
          { field: "addedBy", before: "System", after: null },
          { field: "affected.keys", before: 2, after: null },
          { field: "affected.sessions", before: 1, after: null },
        ],
      },
    });
  });

  test("refuses an unknown admin and the last one", () => {
    expect(decideRemoveAdmin({ ...facts, admin: null, adminCount: 1 }, NOW)).toMatchObject({ code: "NOT_FOUND" });
    const last = decideRemoveAdmin({ ...facts, adminCount: 1 }, NOW);
    expect(last).toEqual({ code: "CONFLICT", message: "The last admin cannot be removed. Add another admin first." });
  });
});

describe("recognizing an admin", () => {
  const account = { issuer: "https://id.example", subject: "s1" };
  const unbound = { ...ada, issuer: null, subject: null };
  const bound = { ...ada, ...account };

  test.each([
    ["Ada@Shop.example", true, "ada@shop.example"],
    ["ada@shop.example", false, null],
    ["ada", true, null],
    [null, true, null],
  ])("the address %j, verified %s, is %j", (email, emailVerified, expected) => {
    expect(adminEmailOf({ ...account, email, emailVerified })).toBe(expected);
  });

  test("the first sign-in binds the admin to the account", () => {
    expect(decideRecognizeAdmin({ admin: unbound, isAccountTaken: false }, account, NOW)).toMatchObject({
      patch: { ...account, boundAt: NOW },
      audit: { action: "Admin signed in for the first time", target: { type: "ADMIN", id: "a1" } },
    });
  });

  test.each([
    ["the bound account", bound, false, null],
    ["another subject", { ...bound, subject: "s2" }, false, "FORBIDDEN"],
    ["the same subject of another issuer", { ...bound, issuer: "https://other.example" }, false, "FORBIDDEN"],
    ["an account of another admin", unbound, true, "FORBIDDEN"],
    ["no admin", null, false, "FORBIDDEN"],
  ])("%s", (_, admin, isAccountTaken, expected) => {
    const decision = decideRecognizeAdmin({ admin, isAccountTaken }, account, NOW);
    expect(decision === null ? null : "code" in decision && decision.code).toBe(expected);
  });
});
