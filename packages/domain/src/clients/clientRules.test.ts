import { describe, expect, test } from "vitest";
import {
  checkDisplayName,
  checkIdentityReturnUrls,
  checkNewClient,
  checkNoOnwardRedirect,
  checkSlug,
} from "./clientRules.ts";

const live = { allowLoopbackHttp: false };

describe("a new client", () => {
  const wanted = { webOrigins: ["https://a.example"], returnUrls: ["https://a.example/"], tenantKeys: ["t"] };

  test("needs an origin, a return URL on it, and no tenant", () => {
    expect(checkNewClient(wanted, live)).toBeNull();
    expect(checkNewClient({ ...wanted, tenantKeys: [] }, live)).toBeNull();
  });

  test.each([
    ["webOrigins", { webOrigins: [] }],
    ["webOrigins", { webOrigins: ["https://a.example", "https://a.example"] }],
    ["webOrigins", { webOrigins: ["https://a.example", "a.example"] }],
    ["returnUrls", { returnUrls: [] }],
    ["returnUrls", { returnUrls: ["https://b.example/"] }],
    ["tenantKeys", { tenantKeys: ["t", "t"] }],
    ["tenantKeys", { tenantKeys: [""] }],
  ])("is refused at %s when it has %j", (field, wrong) => {
    expect(checkNewClient({ ...wanted, ...wrong }, live)).toMatchObject({ code: "BAD_USER_INPUT", field });
  });
});

test("the identity sign-in has its own return URLs, by the same rules", () => {
  const client = { webOrigins: ["https://shop.example", "https://other.example"] };
  const check = (enabled: boolean, urls: string[]) =>
    checkIdentityReturnUrls(client, { enabled, urls }, live)?.code ?? null;
  expect(check(true, ["https://shop.example/in"])).toBeNull();
  expect(check(true, [])).toBe("BAD_USER_INPUT");
  expect(check(false, [])).toBeNull();
  expect(check(false, ["https://third.example/in"])).toBe("BAD_USER_INPUT");
});

test.each([
  ["shop", true],
  ["a", true],
  ["a-b-2", true],
  ["x".repeat(63), true],
  ["x".repeat(64), false],
  ["-a", false],
  ["a-", false],
  ["A", false],
  ["a_b", false],
  ["", false],
])("the slug %j: allowed is %s", (slug, allowed) => {
  expect(checkSlug(slug) === null).toBe(allowed);
});

test("a display name is shown to people, so it is not blank, too long or broken", () => {
  expect(checkDisplayName("<script>alert(1)</script> Zoë 統一")).toBeNull();
  for (const wrong of ["", "  ", "\u200b", "two\nlines", "x".repeat(81), "a\0"])
    expect(checkDisplayName(wrong)?.code).toBe("BAD_USER_INPUT");
});

test("the caller must confirm that a return URL is not an open redirect", () => {
  expect(checkNoOnwardRedirect(true)).toBeNull();
  expect(checkNoOnwardRedirect(false)?.code).toBe("BAD_USER_INPUT");
});
