import {
  SCOPE_A_READ,
  SCOPE_B_BASIC,
  SCOPE_B_PROFILE,
  SCOPE_B_VIDEOS,
  SCOPE_C_BASIC,
  SCOPE_C_INSIGHTS,
} from "./consent/scopeRules.ts";
import type { ByProvider, ProviderKey, SimulatorClient } from "./wire.ts";

type Capability = "PROFILE" | "CONTENT_LIST" | "CONTENT_LOOKUP" | "CONTENT_METRICS";

/** All that a provider registration needs to know to face the simulator. */
export interface SimulatorRegistration {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly addresses: {
    readonly authorization: string;
    readonly token: string;
    readonly revocation?: string;
    readonly api: string;
  };
  readonly scopes: Record<Capability, string[]>;
}

const PATHS: ByProvider<SimulatorRegistration["addresses"]> = {
  "provider-a": { authorization: "/o/oauth2/v2/auth", token: "/token", revocation: "/revoke", api: "/youtube/v3" },
  "provider-b": {
    authorization: "/v2/auth/authorize/",
    token: "/v2/oauth/token/",
    revocation: "/v2/oauth/revoke/",
    api: "/v2",
  },
  "provider-c": { authorization: "/oauth/authorize", token: "/oauth/access_token", api: "" },
};

/** Scope names by capability; the same for the real providers. */
export const PROVIDER_SCOPES: ByProvider<Record<Capability, string[]>> = {
  "provider-a": {
    PROFILE: [SCOPE_A_READ],
    CONTENT_LIST: [SCOPE_A_READ],
    CONTENT_LOOKUP: [SCOPE_A_READ],
    CONTENT_METRICS: [SCOPE_A_READ],
  },
  "provider-b": {
    PROFILE: [SCOPE_B_BASIC, SCOPE_B_PROFILE],
    CONTENT_LIST: [SCOPE_B_VIDEOS],
    CONTENT_LOOKUP: [SCOPE_B_VIDEOS],
    CONTENT_METRICS: [SCOPE_B_VIDEOS],
  },
  "provider-c": {
    PROFILE: [SCOPE_C_BASIC],
    CONTENT_LIST: [SCOPE_C_BASIC],
    CONTENT_LOOKUP: [SCOPE_C_BASIC],
    CONTENT_METRICS: [SCOPE_C_BASIC, SCOPE_C_INSIGHTS],
  },
};

/** What a deployment configures so that its adapter for `provider` talks to the simulator, whose `providerUrls` these are. */
export function simulatorRegistration(
  providerUrls: ByProvider<string>,
  provider: ProviderKey,
  client: SimulatorClient,
): SimulatorRegistration {
  const base = providerUrls[provider];
  const paths = PATHS[provider];
  return {
    clientId: client.clientId,
    clientSecret: client.clientSecret,
    addresses: {
      authorization: base + paths.authorization,
      token: base + paths.token,
      ...(paths.revocation !== undefined && { revocation: base + paths.revocation }),
      api: base + paths.api,
    },
    scopes: PROVIDER_SCOPES[provider],
  };
}
