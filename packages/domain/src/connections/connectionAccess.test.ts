import { CAPABILITIES, type ErrorCode } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import {
  checkContentAccess,
  NEEDED_CAPABILITIES,
  type RecheckFacts,
  recheckConnection,
  servedCapabilities,
} from "./connectionAccess.ts";

const facts: RecheckFacts = {
  connection: { tenantKey: "workspace-1", provider: "PROVIDER_A", capabilities: ["PROFILE", "CONTENT_LIST"] },
  grant: { active: true, refreshExpiresAt: null },
  registration: { status: "PUBLISHED", servesApplication: true },
  application: {
    enabled: true,
    tenantKeys: ["workspace-1"],
    providers: ["PROVIDER_A"],
    capabilities: ["PROFILE", "CONTENT_LIST"],
  },
};
const application = (over: object) => ({ application: { ...facts.application, ...over } });
const registration = (over: object) => ({
  registration: { status: "PUBLISHED" as const, servesApplication: true, ...over },
});
const grant = (over: object) => ({ grant: { active: true, refreshExpiresAt: null, ...over } });

describe("the re-check of a CONNECTED connection", () => {
  test("passes if policy, registration and grant are valid", () => {
    expect(recheckConnection(facts, NOW)).toBeNull();
    expect(recheckConnection({ ...facts, ...grant({ refreshExpiresAt: addMs(NOW, 1) }) }, NOW)).toBeNull();
  });

  test.each([
    ["The application is disabled.", application({ enabled: false }), "FORBIDDEN"],
    ["the tenant was removed", application({ tenantKeys: [] }), "FORBIDDEN"],
    ["the provider is no longer allowed", application({ providers: ["PROVIDER_B"] }), "FORBIDDEN"],
    ["one of its capabilities is no longer allowed", application({ capabilities: ["PROFILE"] }), "FORBIDDEN"],
    ["there is no registration", { registration: null }, "CAPABILITY_UNAVAILABLE"],
    [
      "the registration does not serve the application",
      registration({ servesApplication: false }),
      "CAPABILITY_UNAVAILABLE",
    ],
    ["the registration is disabled", registration({ status: "DISABLED" }), "CAPABILITY_UNAVAILABLE"],
    ["the registration is a draft", registration({ status: "DRAFT" }), "CAPABILITY_UNAVAILABLE"],
    ["the registration is paused", registration({ status: "PAUSED" }), "AUTHORIZATION_SUSPENDED"],
    ["no grant is left", { grant: null }, "RECONNECT_REQUIRED"],
    ["the grant was revoked", grant({ active: false }), "RECONNECT_REQUIRED"],
    ["the refresh credential expires now", grant({ refreshExpiresAt: NOW }), "RECONNECT_REQUIRED"],
    ["the refresh credential has expired", grant({ refreshExpiresAt: addMs(NOW, -1) }), "RECONNECT_REQUIRED"],
  ])("fails when %s", (_, over, code) => {
    expect(recheckConnection({ ...facts, ...over } as RecheckFacts, NOW)).toBe(code);
  });

  test("reports obstacles for operators before obstacles for the user", () => {
    const all = {
      ...facts,
      ...application({ tenantKeys: [] }),
      ...registration({ status: "PAUSED", servesApplication: false }),
      grant: null,
    };
    expect(recheckConnection(all, NOW)).toBe("FORBIDDEN");
    expect(recheckConnection({ ...all, application: facts.application }, NOW)).toBe("CAPABILITY_UNAVAILABLE");
    const paused = { ...facts, ...registration({ status: "PAUSED" }), grant: null };
    expect(recheckConnection(paused, NOW)).toBe("AUTHORIZATION_SUSPENDED");
    expect(recheckConnection({ ...paused, registration: facts.registration }, NOW)).toBe("RECONNECT_REQUIRED");
  });
});

describe("content access", () => {
  const connected = {
    status: "CONNECTED",
    capabilities: ["CONTENT_LIST"],
    offeredCapabilities: CAPABILITIES,
  } as const;

  test.each([
    ["SUSPENDED", "AUTHORIZATION_SUSPENDED"],
    ["RECONNECT_REQUIRED", "RECONNECT_REQUIRED"],
    ["DISCONNECTED", "NOT_FOUND"],
    ["DELETING", "NOT_FOUND"],
  ] as const)("to a %s connection fails with %s, regardless of its capabilities and re-check", (status, code) => {
    for (const recheckCode of [null, "FORBIDDEN"] as const) {
      expect(checkContentAccess({ ...connected, status }, ["CONTENT_LIST"], recheckCode)).toMatchObject({ code });
      expect(
        checkContentAccess({ ...connected, status, capabilities: [] }, ["CONTENT_LIST"], recheckCode),
      ).toMatchObject({ code });
    }
  });

  test.each(["FORBIDDEN", "CAPABILITY_UNAVAILABLE", "AUTHORIZATION_SUSPENDED", "RECONNECT_REQUIRED"] as ErrorCode[])(
    "fails with the re-check's %s",
    (code) => {
      expect(checkContentAccess(connected, ["CONTENT_LIST"], code)).toMatchObject({ code });
    },
  );

  const needs = {
    content: ["CONTENT_LIST"],
    contentItem: ["CONTENT_LIST", "CONTENT_LOOKUP"],
    refreshScan: ["CONTENT_LIST"],
    refreshMetrics: ["CONTENT_METRICS"],
    contentLookup: ["CONTENT_LOOKUP"],
  };
  const operations = Object.keys(NEEDED_CAPABILITIES) as (keyof typeof NEEDED_CAPABILITIES)[];

  test.each(operations.flatMap((operation) => CAPABILITIES.map((capability) => [operation, capability] as const)))(
    "for %s with only %s",
    (operation, capability) => {
      const connection = { ...connected, capabilities: [capability] } as const;
      const enough = needs[operation].includes(capability);
      const refusal = checkContentAccess(connection, NEEDED_CAPABILITIES[operation], null);
      expect(refusal?.code).toBe(enough ? undefined : "CAPABILITY_UNAVAILABLE");
    },
  );

  test.each(operations.flatMap((operation) => CAPABILITIES.map((capability) => [operation, capability] as const)))(
    "for %s with everything granted and only %s served",
    (operation, capability) => {
      const connection = { ...connected, capabilities: CAPABILITIES, offeredCapabilities: [capability] };
      const enough = needs[operation].includes(capability);
      const refusal = checkContentAccess(connection, NEEDED_CAPABILITIES[operation], null);
      expect(refusal?.code).toBe(enough ? undefined : "CAPABILITY_UNAVAILABLE");
    },
  );

  test("needs one capability that is both granted and served", () => {
    const split = { ...connected, capabilities: ["CONTENT_LIST"], offeredCapabilities: ["CONTENT_LOOKUP"] } as const;
    expect(checkContentAccess(split, NEEDED_CAPABILITIES.contentItem, null)?.code).toBe("CAPABILITY_UNAVAILABLE");
    expect(servedCapabilities(split)).toEqual([]);
  });
});
