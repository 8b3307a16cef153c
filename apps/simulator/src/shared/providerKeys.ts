import { PROVIDER_SLUGS, type ProviderSlug, providerOfSlug } from "@social-connect/domain";
import { type AccountScript, PROVIDER_FIXTURES, type ProviderFixtures } from "@social-connect/provider-fixtures";

export {
  bySlug as byProvider,
  PROVIDER_SLUGS as PROVIDER_KEYS,
  type ProviderSlug as ProviderKey,
} from "@social-connect/domain";

/** Its name in the service. */
export const nameOf = (provider: ProviderSlug) => providerOfSlug(provider) as keyof typeof PROVIDER_FIXTURES;

export function fixturesOf(provider: ProviderSlug): ProviderFixtures {
  return PROVIDER_FIXTURES[nameOf(provider)];
}

export function providersOf({ providers }: Pick<AccountScript, "providers">): readonly ProviderSlug[] {
  return PROVIDER_SLUGS.filter((provider) => providers?.includes(nameOf(provider)) ?? true);
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

export type ByProvider<Value> = Readonly<Record<ProviderSlug, Value>>;
export type SimulatorClients = Readonly<Partial<Record<ProviderSlug, readonly SimulatorClient[]>>>;
