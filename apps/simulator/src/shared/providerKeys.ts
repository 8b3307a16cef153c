import { type AccountScript, PROVIDER_FIXTURES, type ProviderFixtures } from "@social-connect/provider-fixtures";

/** The providers' names in the service. */
type SocialProvider = keyof typeof PROVIDER_FIXTURES;
type KeyOf<Provider> = Provider extends `${infer Word}_${infer Letter}`
  ? `${Lowercase<Word>}-${Lowercase<Letter>}`
  : never;
export type ProviderKey = KeyOf<SocialProvider>;

/** By the providers' names in the service's callback paths. */
const SOCIAL_PROVIDERS = Object.fromEntries(
  Object.keys(PROVIDER_FIXTURES).map((provider) => [provider.toLowerCase().replace("_", "-"), provider]),
) as Record<ProviderKey, SocialProvider>;

export const PROVIDER_KEYS = Object.keys(SOCIAL_PROVIDERS) as [ProviderKey, ...ProviderKey[]];

export function fixturesOf(provider: ProviderKey): ProviderFixtures {
  return PROVIDER_FIXTURES[SOCIAL_PROVIDERS[provider]];
}

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
  /** Receives a `signed_request` when a user asks for the deletion of their data (provider C). */
  readonly dataDeletionUrl?: string;
  /** Receives `authorization.removed` when a user removes the app (provider B). */
  readonly webhookUrl?: string;
}

export type ByProvider<Value> = Readonly<Record<ProviderKey, Value>>;

export function byProvider<Value>(make: (provider: ProviderKey) => Value): ByProvider<Value> {
  return Object.fromEntries(PROVIDER_KEYS.map((provider) => [provider, make(provider)])) as ByProvider<Value>;
}

export type SimulatorClients = Readonly<Partial<Record<ProviderKey, readonly SimulatorClient[]>>>;
