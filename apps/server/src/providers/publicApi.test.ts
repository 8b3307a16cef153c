import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { PROVIDER_SCOPES } from "@social-connect/simulator";
import { describe, expect, test } from "vitest";
import { providerAddresses } from "./registration.ts";
import { PROVIDER_ADAPTERS } from "./registry/registry.ts";

describe.each(SOCIAL_PROVIDERS)("the public API of %s", (provider) => {
  const { publicApi, traits } = PROVIDER_ADAPTERS[provider];

  test("has the URLs that a registration needs, all https", () => {
    expect(providerAddresses.parse(publicApi.addresses)).toEqual(publicApi.addresses);
    const addresses = Object.values(publicApi.addresses);
    expect(addresses.filter((address) => !address?.startsWith("https://"))).toEqual([]);
    expect(publicApi.addresses.revocation !== undefined).toBe(traits.canRevoke);
  });

  test("has scopes for each capability, the same as the simulator grants", () => {
    expect(Object.keys(publicApi.scopes)).toEqual([...CAPABILITIES]);
    const key = provider.toLowerCase().replace("_", "-") as keyof typeof PROVIDER_SCOPES;
    expect(publicApi.scopes).toEqual(PROVIDER_SCOPES[key]);
  });
});
