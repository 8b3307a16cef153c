import { SIGN_IN_LIFETIME_MS } from "@social-connect/domain";
import { expect, test } from "vitest";
import { SIGN_IN_STARTS, SignInLimit } from "./signInLimit.ts";

test("limits the sign-ins that one network starts in ten minutes, independently of other networks", () => {
  const limit = new SignInLimit();
  for (let start = 0; start < SIGN_IN_STARTS; start += 1) expect(limit.take("192.0.2.1", 0)).toBeNull();
  expect(limit.take("192.0.2.1", 1_000)).toBe(SIGN_IN_LIFETIME_MS / 1_000 - 1);
  expect(limit.take("192.0.2.2", 1_000)).toBeNull();
  expect(limit.take("192.0.2.1", SIGN_IN_LIFETIME_MS)).toBeNull();
});
