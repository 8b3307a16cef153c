/** The three wire profiles, named as the service's callback paths name them. */
export const PROVIDER_KEYS = ["provider-a", "provider-b", "provider-c"] as const;
export type ProviderKey = (typeof PROVIDER_KEYS)[number];

/** What one entry of `clients` says: an application registered at a provider. */
export interface SimulatorClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Shown on the consent page. */
  readonly name?: string;
  /** Compared byte for byte with the one that a request names. */
  readonly redirectUris: readonly string[];
  /** Where a removed app is told so, with a `signed_request` (provider C). */
  readonly deauthorizationUrl?: string;
}

/** Something that there is one of for each provider. */
export type ByProvider<Value> = Readonly<Record<ProviderKey, Value>>;

export function byProvider<Value>(make: (provider: ProviderKey) => Value): ByProvider<Value> {
  return Object.fromEntries(PROVIDER_KEYS.map((provider) => [provider, make(provider)])) as ByProvider<Value>;
}

export type SimulatorClients = Readonly<Partial<Record<ProviderKey, readonly SimulatorClient[]>>>;
