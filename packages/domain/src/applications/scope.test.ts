import { describe, expect, test } from "vitest";
import { checkSubjectScope, isSameScope } from "./scope.ts";

const GOOD = { tenantKey: "workspace-1", externalSubjectId: "user-1" };

describe.each(["tenantKey", "externalSubjectId"] as const)("%s of a scope", (name) => {
  const withValue = (value: string) => checkSubjectScope({ ...GOOD, [name]: value });

  test.each([
    ["1 character", "x"],
    ["128 characters", "x".repeat(128)],
    ["128 characters outside the basic plane", "🦊".repeat(128)],
    ["a space", " "],
  ])("may be %s", (_, value) => {
    expect(withValue(value)).toBeNull();
  });

  test.each([
    ["empty", ""],
    ["129 characters", "x".repeat(129)],
    ["129 characters outside the basic plane", "🦊".repeat(129)],
    ["a NUL", "a\0b"],
    ["an unpaired surrogate", "a\ud83e"],
  ])("must not be %s", (_, value) => {
    expect(withValue(value)).toMatchObject({ code: "BAD_USER_INPUT", message: expect.stringContaining(name) });
  });
});

test("a refusal never repeats the value", () => {
  const value = "secret-looking ".repeat(20);
  expect(checkSubjectScope({ ...GOOD, externalSubjectId: value })?.message).not.toContain("secret-looking");
});

test("scopes are the same only letter by letter", () => {
  expect(isSameScope(GOOD, { ...GOOD })).toBe(true);
  expect(isSameScope(GOOD, { ...GOOD, tenantKey: "Workspace-1" })).toBe(false);
  expect(isSameScope(GOOD, { ...GOOD, externalSubjectId: "user-1 " })).toBe(false);
  // One visible text, composed and decomposed: two subjects.
  expect(isSameScope({ ...GOOD, tenantKey: "\u00e9" }, { ...GOOD, tenantKey: "e\u0301" })).toBe(false);
});
