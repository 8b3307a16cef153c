import { expect, test } from "vitest";
import { providerAdapter } from "../../providers/registry/registry.ts";
import { service, useService } from "../testing/fixtures.ts";
import { describeProviderSetup } from "./describeProviderSetup.ts";

useService();

test("each provider has one redirect URI, and a deauthorize URL where it sends callbacks", () => {
  const real = { ...service, connectHost: "https://connect.example", provider: providerAdapter };
  const told = (["PROVIDER_A", "PROVIDER_C"] as const).map((provider) => describeProviderSetup(real, provider));
  expect(told).toMatchObject([
    {
      redirectUri: "https://connect.example/api/connect/callback/provider-a",
      deauthorizationUrl: null,
      canRevoke: true,
    },
    {
      redirectUri: "https://connect.example/api/connect/callback/provider-c",
      deauthorizationUrl: "https://connect.example/api/connect/deauthorize/provider-c",
      canRevoke: false,
    },
  ]);
});
