import { describe, expect, test } from "vitest";
import { APPLICATION } from "../testing/application.ts";
import { type ConnectInput, checkConnectInput, checkIdpIdentityInput, checkPolicy, checkTenant } from "./policy.ts";

const application = {
  ...APPLICATION,
  providers: ["PROVIDER_A", "PROVIDER_B"],
  previewOriginsEnabled: true,
  previewReturnPaths: ["/return"],
} as const;

const input: ConnectInput = {
  scope: { tenantKey: "tenant", externalSubjectId: "user-1" },
  provider: "PROVIDER_A",
  capabilities: ["PROFILE", "CONTENT_LIST"],
  returnUrl: "https://app.example/return",
};
const scope = (over: Partial<ConnectInput["scope"]>) => ({ scope: { ...input.scope, ...over } });
const check = (over: Partial<ConnectInput>) =>
  checkConnectInput({ ...input, ...over }, application, "https://{label}.preview.example.app")?.code ?? null;

describe("ConnectInput", () => {
  test("is accepted when it keeps every rule", () => {
    expect(check({})).toBeNull();
    expect(check({ capabilities: ["CONTENT_LIST"] })).toBeNull();
    expect(check({ returnUrl: "https://pr-1.preview.example.app/return" })).toBeNull();
  });

  test.each([
    ["an unregistered tenant", scope({ tenantKey: "other" }), "FORBIDDEN"],
    ["a provider outside the policy", { provider: "PROVIDER_C" }, "FORBIDDEN"],
    ["a capability outside the policy", { capabilities: ["PROFILE", "CONTENT_LOOKUP"] }, "FORBIDDEN"],
    ["an unregistered return URL", { returnUrl: "https://app.example/other" }, "BAD_USER_INPUT"],
    ["a return URL with a fragment", { returnUrl: "https://app.example/return#" }, "BAD_USER_INPUT"],
    ["a return URL with a reserved parameter", { returnUrl: "https://app.example/return?ss_a=1" }, "BAD_USER_INPUT"],
  ] as const)("is refused with %s", (_, over, code) => {
    expect(check(over as Partial<ConnectInput>)).toBe(code);
  });

  test("is judged by the policy before the return URL", () => {
    expect(check({ provider: "PROVIDER_C", returnUrl: "" })).toBe("FORBIDDEN");
  });
});

describe("the policy", () => {
  const wanted = { tenantKey: "tenant", provider: "PROVIDER_A", capabilities: ["PROFILE"] } as const;

  test("allows what is listed", () => {
    expect(checkPolicy(application, wanted)).toBeNull();
  });

  test("allows nothing to a disabled application", () => {
    expect(checkPolicy({ ...application, enabled: false }, wanted)).toMatchObject({ code: "FORBIDDEN" });
  });

  test("knows tenants letter by letter", () => {
    expect(checkPolicy(application, { ...wanted, tenantKey: "Tenant" })).toMatchObject({ code: "FORBIDDEN" });
  });
});

test("an unregistered tenant is answered with the code of the operation", () => {
  expect(checkTenant(application, "tenant", "NOT_FOUND")).toBeNull();
  expect(checkTenant(application, "other", "NOT_FOUND")).toMatchObject({ code: "NOT_FOUND" });
  expect(checkTenant(application, "other", "FORBIDDEN")).toMatchObject({ code: "FORBIDDEN" });
});

describe("IdpIdentityInput", () => {
  const good = { tenantKey: "tenant", returnUrl: "https://app.example/signed-in" };

  test("is accepted when it keeps every rule", () => {
    expect(checkIdpIdentityInput(good, application, true)).toBeNull();
  });

  test.each([
    ["an unregistered tenant", { ...good, tenantKey: "other" }, {}, true, "FORBIDDEN"],
    ["a disabled application", good, { enabled: false }, true, "FORBIDDEN"],
    ["the handoff switched off", good, { idpIdentityEnabled: false }, true, "CAPABILITY_UNAVAILABLE"],
    ["no issuer", good, {}, false, "CAPABILITY_UNAVAILABLE"],
    ["a return URL of Connect", { ...good, returnUrl: "https://app.example/return" }, {}, true, "BAD_USER_INPUT"],
    [
      "a preview return URL",
      { ...good, returnUrl: "https://a.preview.example.app/return" },
      {},
      true,
      "BAD_USER_INPUT",
    ],
  ] as const)("is refused with %s", (_, given, over, issuer, code) => {
    expect(checkIdpIdentityInput(given, { ...application, ...over }, issuer)).toMatchObject({ code });
  });
});
