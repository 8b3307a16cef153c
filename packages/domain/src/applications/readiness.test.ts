import { describe, expect, test } from "vitest";
import { canStartConnect, canStartIdentity } from "./readiness.ts";

const application = {
  enabled: true,
  tenantKeys: ["acme"],
  providers: ["PROVIDER_A"],
  capabilities: ["PROFILE"],
  webOrigins: ["https://app.example"],
  returnUrls: ["https://app.example/return"],
  previewOriginsEnabled: false,
  previewReturnPaths: [],
  identityReturnUrls: ["https://app.example/identity"],
  idpIdentityEnabled: true,
} as const;
const registration = { capabilities: ["PROFILE", "CONTENT_LIST"] } as const;
const TEMPLATE = "https://{label}.preview.example";

describe("a Connect attempt", () => {
  const can = (changed: object, serving: Parameters<typeof canStartConnect>[2] = registration, template = TEMPLATE) =>
    canStartConnect({ ...application, ...changed }, "PROVIDER_A", serving, template);

  test("can start with a tenant, a provider, a served capability and a return URL", () => {
    expect(can({})).toBe(true);
  });

  test.each([
    ["the application is disabled", { enabled: false }],
    ["there is no tenant", { tenantKeys: [] }],
    ["the provider is not allowed", { providers: ["PROVIDER_B"] }],
    ["no allowed capability is served", { capabilities: ["CONTENT_METRICS"] }],
    ["no capability is allowed", { capabilities: [] }],
    ["there is no return URL", { returnUrls: [] }],
  ])("cannot start while %s", (_why, changed) => {
    expect(can(changed)).toBe(false);
  });

  test("cannot start without a registration", () => {
    expect(can({}, null)).toBe(false);
  });

  test("can start with only a preview path, where previews are on and the deployment has a template", () => {
    const previews = { returnUrls: [], previewOriginsEnabled: true, previewReturnPaths: ["/return"] };
    expect(can(previews)).toBe(true);
    expect(can({ ...previews, previewOriginsEnabled: false })).toBe(false);
    expect(can({ ...previews, previewReturnPaths: [] })).toBe(false);
    expect(canStartConnect({ ...application, ...previews }, "PROVIDER_A", registration, null)).toBe(false);
  });
});

describe("the identity handoff", () => {
  test("can start when it is switched on, with a tenant, a return URL and an issuer", () => {
    expect(canStartIdentity(application, true)).toBe(true);
    expect(canStartIdentity(application, false)).toBe(false);
  });

  test.each([
    ["the application is disabled", { enabled: false }],
    ["it is switched off", { idpIdentityEnabled: false }],
    ["there is no tenant", { tenantKeys: [] }],
    ["there is no identity return URL", { identityReturnUrls: [] }],
  ])("cannot start while %s", (_why, changed) => {
    expect(canStartIdentity({ ...application, ...changed }, true)).toBe(false);
  });
});
