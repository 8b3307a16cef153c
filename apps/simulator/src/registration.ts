import type { ScopesByCapability } from "@social-connect/provider-fixtures";
import { PROVIDERS } from "./providers/registry.ts";
import { type ByProvider, byProvider, type ProviderKey, type SimulatorClient } from "./shared/providerKeys.ts";

/** The values of a provider registration for the simulator. */
export type SimulatorRegistration = ReturnType<typeof simulatorRegistration>;

/** Scope names by capability; the same for the real providers. */
export const PROVIDER_SCOPES: ByProvider<ScopesByCapability> = byProvider(
  (provider) => PROVIDERS[provider].capabilityScopes,
);

/** Returns the registration with which a deployment uses the simulated `provider`. */
export function simulatorRegistration(
  providerUrls: ByProvider<string>,
  provider: ProviderKey,
  client: SimulatorClient,
) {
  const base = providerUrls[provider];
  const { paths, capabilityScopes } = PROVIDERS[provider];
  return {
    clientId: client.clientId,
    clientSecret: client.clientSecret,
    addresses: {
      authorization: base + paths.authorization,
      token: base + paths.token,
      ...(paths.revocation !== undefined && { revocation: base + paths.revocation }),
      api: base + paths.api,
    },
    scopes: capabilityScopes,
  };
}
