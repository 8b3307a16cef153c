import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";

type SlugOf<Provider> = Provider extends `${infer Word}_${infer Letter}`
  ? `${Lowercase<Word>}-${Lowercase<Letter>}`
  : never;
export type ProviderSlug = SlugOf<SocialProvider>;

/** `PROVIDER_A` in a URL, a folder or a port name: `provider-a`. */
export function providerSlug(provider: SocialProvider): ProviderSlug {
  return provider.toLowerCase().replace("_", "-") as ProviderSlug;
}

export const PROVIDER_SLUGS: readonly ProviderSlug[] = SOCIAL_PROVIDERS.map(providerSlug);

export function providerOfSlug(slug: string): SocialProvider | null {
  return SOCIAL_PROVIDERS.find((provider) => providerSlug(provider) === slug) ?? null;
}

/** A value for each provider, by its name in URLs. */
export function bySlug<Value>(make: (slug: ProviderSlug) => Value): Readonly<Record<ProviderSlug, Value>> {
  return Object.fromEntries(PROVIDER_SLUGS.map((slug) => [slug, make(slug)])) as Record<ProviderSlug, Value>;
}
