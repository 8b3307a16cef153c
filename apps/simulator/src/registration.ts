import type { ScopesByCapability } from "@social-connect/provider-fixtures";
import { PROVIDERS } from "./providers/registry.ts";
import { type ByProvider, byProvider, type ProviderKey, type SimulatorClient } from "./shared/providerKeys.ts";
import type { ProviderProfile } from "./state/providerProfile.ts";

/** The values of a provider registration for the simulator. */
export interface SimulatorRegistration {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly addresses: ProviderProfile["paths"];
  readonly scopes: ScopesByCapability;
}

/** Scope names by capability; the same for the real providers. */
export const PROVIDER_SCOPES: ByProvider<ScopesByCapability> = byProvider(
  (provider) => PROVIDERS[provider].capabilityScopes,
);

/** Returns the registration with which a deployment uses the simulated `provider`. */
export function simulatorRegistration(
  providerUrls: ByProvider<string>,
  provider: ProviderKey,
  client: SimulatorClient,
): SimulatorRegistration {
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
