import type { AccountScript, ProviderFixtures } from "@social-connect/provider-fixtures";
import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";

/** The providers, as named in the service's callback paths. */
export const PROVIDER_KEYS = ["provider-a", "provider-b", "provider-c"] as const;
export type ProviderKey = (typeof PROVIDER_KEYS)[number];

/** The providers' names in the service. */
const SOCIAL_PROVIDERS = {
  "provider-a": "PROVIDER_A",
  "provider-b": "PROVIDER_B",
  "provider-c": "PROVIDER_C",
} as const;

export function fixturesOf(provider: ProviderKey): ProviderFixtures {
  return PROVIDER_FIXTURES[SOCIAL_PROVIDERS[provider]];
}

/** The providers that have a script. */
export function providersOf({ providers }: Pick<AccountScript, "providers">): readonly ProviderKey[] {
  return PROVIDER_KEYS.filter((provider) => providers?.includes(SOCIAL_PROVIDERS[provider]) ?? true);
}

/** An application registered at a provider. */
export interface SimulatorClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Shown on the consent page. */
  readonly name?: string;
  /** Compared byte for byte. */
  readonly redirectUris: readonly string[];
  /** Receives a `signed_request` when a user removes the app (provider C). */
  readonly deauthorizationUrl?: string;
}

/** One value per provider. */
export type ByProvider<Value> = Readonly<Record<ProviderKey, Value>>;

export function byProvider<Value>(make: (provider: ProviderKey) => Value): ByProvider<Value> {
  return Object.fromEntries(PROVIDER_KEYS.map((provider) => [provider, make(provider)])) as ByProvider<Value>;
}

export type SimulatorClients = Readonly<Partial<Record<ProviderKey, readonly SimulatorClient[]>>>;
