import { describe, expect, test } from "vitest";
import { APPLICATION } from "../testing/application.ts";
import { canStartConnect, canStartIdentity } from "./readiness.ts";

const registration = { capabilities: ["PROFILE", "CONTENT_LIST"] } as const;
const TEMPLATE = "https://{label}.preview.example";

describe("a Connect attempt", () => {
  const can = (changed: object, serving: Parameters<typeof canStartConnect>[2] = registration, template = TEMPLATE) =>
    canStartConnect({ ...APPLICATION, ...changed }, "PROVIDER_A", serving, template);

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
    expect(canStartConnect({ ...APPLICATION, ...previews }, "PROVIDER_A", registration, null)).toBe(false);
  });
});

describe("the identity handoff", () => {
  test("can start when it is switched on, with a tenant, a return URL and an issuer", () => {
    expect(canStartIdentity(APPLICATION, true)).toBe(true);
    expect(canStartIdentity(APPLICATION, false)).toBe(false);
  });

  test.each([
    ["the application is disabled", { enabled: false }],
    ["it is switched off", { idpIdentityEnabled: false }],
    ["there is no tenant", { tenantKeys: [] }],
    ["there is no identity return URL", { identityReturnUrls: [] }],
  ])("cannot start while %s", (_why, changed) => {
    expect(canStartIdentity({ ...APPLICATION, ...changed }, true)).toBe(false);
  });
});
