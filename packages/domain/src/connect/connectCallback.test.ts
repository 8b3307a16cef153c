import { expect, test } from "vitest";
import { callbackState, isIdentityDenial, LONGEST_CALLBACK_PARAMETER, readConnectCallback } from "./connectCallback.ts";

const ISSUER = "https://provider.example";
const read = (query: string) => readConnectCallback(new URLSearchParams(query), ISSUER);

test.each([
  ["state=s&code=c", "CODE_RECEIVED"],
  [`state=s&code=c&iss=${encodeURIComponent(ISSUER)}`, "CODE_RECEIVED"],
  ["state=s&error=access_denied", "ACCESS_DENIED"],
  ["state=s&error=server_error", "CALLBACK_ERROR"],
  ["state=s", "malformed"],
  ["state=s&code=", "malformed"],
  ["state=s&code=c&error=access_denied", "malformed"],
  ["state=s&code=c&code=d", "malformed"],
  ["state=s&state=s&code=c", "malformed"],
  ["state=s&code=c&iss=https%3A%2F%2Fother.example", "malformed"],
  [`state=s&code=${"x".repeat(LONGEST_CALLBACK_PARAMETER)}`, "CODE_RECEIVED"],
  [`state=s&code=${"x".repeat(LONGEST_CALLBACK_PARAMETER + 1)}`, "malformed"],
])("the callback %.60s is %s", (query, event) => {
  expect(read(query)).toBe(event);
});

test("the first state is used, unless it is empty or too long", () => {
  expect(callbackState(new URLSearchParams("state=a&state=b"))).toBe("a");
  expect(callbackState(new URLSearchParams("code=c"))).toBe(null);
  expect(callbackState(new URLSearchParams("state="))).toBe(null);
  expect(callbackState(new URLSearchParams({ state: "x".repeat(LONGEST_CALLBACK_PARAMETER + 1) }))).toBe(null);
});

test("the user denied the sign-in only if the issuer reports it without a code", () => {
  expect(isIdentityDenial(new URLSearchParams("error=access_denied"))).toBe(true);
  expect(isIdentityDenial(new URLSearchParams("error=user_cancelled_authorize"))).toBe(true);
  expect(isIdentityDenial(new URLSearchParams("error=access_denied&code=c"))).toBe(false);
  expect(isIdentityDenial(new URLSearchParams("error=access_denied&error=access_denied"))).toBe(false);
  expect(isIdentityDenial(new URLSearchParams("error=login_required"))).toBe(false);
});
