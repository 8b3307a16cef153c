import type { SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { Service } from "../service.ts";

/** `PROVIDER_A` as it stands in an address: `provider-a`. */
export function providerSlug(provider: SocialProvider): string {
  return provider.toLowerCase().replace("_", "-");
}

export function providerOfSlug(slug: string): SocialProvider | null {
  return SOCIAL_PROVIDERS.find((provider) => providerSlug(provider) === slug) ?? null;
}

/** Each provider has a redirect address of its own, so that one's code cannot be brought to another (RFC 9700 4.4.2). */
export function redirectUri(service: Pick<Service, "connectHost">, provider: SocialProvider): string {
  return `${service.connectHost}/api/connect/callback/${providerSlug(provider)}`;
}
