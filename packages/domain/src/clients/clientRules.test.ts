import { describe, expect, test } from "vitest";
import type { ClientAddresses, ClientRefusal } from "./clientRules.ts";
import {
  CLIENT_LIMITS,
  checkAddOrigin,
  checkAddPreviewReturnPath,
  checkAddReturnUrl,
  checkAddTenantKey,
  checkDisplayName,
  checkIdentityReturnUrls,
  checkNewClient,
  checkNoOnwardRedirect,
  checkRemoveOrigin,
  checkRemovePreviewReturnPath,
  checkRemoveReturnUrl,
  checkRemoveTenantKey,
  checkSlug,
} from "./clientRules.ts";

const sandbox = { allowLoopbackHttp: true };
const live = { allowLoopbackHttp: false };
const client: ClientAddresses = {
  webOrigins: ["https://shop.example", "https://other.example"],
  returnUrls: ["https://shop.example/back", "https://shop.example/back?from=app"],
  identityReturnUrls: ["https://other.example/in"],
  previewReturnPaths: ["/back"],
  tenantKeys: ["tenant-1"],
};

function shown(refusal: ClientRefusal | null): string | null {
  if (refusal === null) return null;
  return refusal.code === "CONFLICT" ? refusal.reason : refusal.code;
}

test.each([
  ["https://new.example", live, null],
  ["https://new.example:8443", live, null],
  ["http://localhost:3000", sandbox, null],
  ["http://localhost:3000", live, "BAD_USER_INPUT"],
  ["http://new.example", sandbox, "BAD_USER_INPUT"],
  ["https://new.example/", sandbox, "BAD_USER_INPUT"],
  ["https://NEW.example", sandbox, "BAD_USER_INPUT"],
  ["https://new.example:443", sandbox, "BAD_USER_INPUT"],
  ["https://*.example", sandbox, "BAD_USER_INPUT"],
  ["null", sandbox, "BAD_USER_INPUT"],
  ["", sandbox, "BAD_USER_INPUT"],
  ["https://shop.example", sandbox, "ALREADY_PRESENT"],
] as const)("adding the origin %j gives %s", (origin, rules, expected) => {
  expect(shown(checkAddOrigin(client, origin, rules))).toBe(expected);
});

test("an origin goes only when another is left and no return URL lies on it", () => {
  expect(shown(checkRemoveOrigin(client, "https://shop.example"))).toBe("ORIGIN_IN_USE");
  expect(shown(checkRemoveOrigin(client, "https://other.example"))).toBe("ORIGIN_IN_USE");
  expect(shown(checkRemoveOrigin(client, "https://none.example"))).toBe("NOT_FOUND");
  expect(shown(checkRemoveOrigin({ ...client, identityReturnUrls: [] }, "https://other.example"))).toBeNull();
  expect(shown(checkRemoveOrigin({ ...client, webOrigins: ["https://shop.example"] }, "https://shop.example"))).toBe(
    "LAST_ORIGIN",
  );
});

test.each([
  ["https://shop.example/new", null],
  ["https://shop.example/new?a=b", null],
  ["https://shop.example/new#", "BAD_USER_INPUT"],
  ["https://shop.example/new?ss_status=x", "BAD_USER_INPUT"],
  ["https://shop.example", "BAD_USER_INPUT"],
  ["https://third.example/new", "BAD_USER_INPUT"],
  ["https://user@shop.example/new", "BAD_USER_INPUT"],
  ["https://shop.example/a/../new", "BAD_USER_INPUT"],
  ["javascript:alert(1)", "BAD_USER_INPUT"],
  ["https://shop.example/back", "ALREADY_PRESENT"],
])("adding the return URL %j gives %s", (url, expected) => {
  expect(shown(checkAddReturnUrl(client, url, sandbox))).toBe(expected);
});

test("the last return URL stays", () => {
  expect(shown(checkRemoveReturnUrl(client, "https://shop.example/back"))).toBeNull();
  expect(shown(checkRemoveReturnUrl(client, "https://shop.example/none"))).toBe("NOT_FOUND");
  expect(shown(checkRemoveReturnUrl({ ...client, returnUrls: ["https://a.example/"] }, "https://a.example/"))).toBe(
    "LAST_RETURN_URL",
  );
});

test("tenants and preview paths are added once, and removed when they are there", () => {
  expect(shown(checkAddTenantKey(client, "tenant-2"))).toBeNull();
  expect(shown(checkAddTenantKey(client, "tenant-1"))).toBe("ALREADY_PRESENT");
  expect(shown(checkAddTenantKey(client, "x".repeat(129)))).toBe("BAD_USER_INPUT");
  expect(shown(checkRemoveTenantKey(client, "tenant-1"))).toBeNull();
  expect(shown(checkRemoveTenantKey(client, "tenant-2"))).toBe("NOT_FOUND");
  expect(shown(checkAddPreviewReturnPath(client, "/other"))).toBeNull();
  expect(shown(checkAddPreviewReturnPath(client, "/back"))).toBe("ALREADY_PRESENT");
  expect(shown(checkAddPreviewReturnPath(client, "//evil.example"))).toBe("BAD_USER_INPUT");
  expect(shown(checkRemovePreviewReturnPath(client, "/other"))).toBe("NOT_FOUND");
  expect(shown(checkRemovePreviewReturnPath(client, "/back"))).toBeNull();
});

test("no list grows without end", () => {
  const full = Array.from({ length: CLIENT_LIMITS.tenantKeys }, (_, index) => `tenant-${index}`);
  expect(shown(checkAddTenantKey({ ...client, tenantKeys: full }, "one more"))).toBe("BAD_USER_INPUT");
  expect(shown(checkAddTenantKey({ ...client, tenantKeys: full.slice(1) }, "one more"))).toBeNull();
});

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
  const check = (enabled: boolean, urls: string[]) => shown(checkIdentityReturnUrls(client, { enabled, urls }, live));
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

test("the caller has to confirm that a return URL redirects nobody onward", () => {
  expect(checkNoOnwardRedirect(true)).toBeNull();
  expect(checkNoOnwardRedirect(false)?.code).toBe("BAD_USER_INPUT");
});
