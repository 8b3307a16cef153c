import type { SocialProvider } from "@social-connect/contract";
import { providerSlug } from "@social-connect/domain";
import type { Service } from "../service.ts";
import { dataDeletionUrl, redirectUri, webhookUrl } from "./callbackAddress.ts";

/** What an admin needs to register the service at a provider and to enter that registration here. */
export type ProviderSetup = ReturnType<typeof describeProviderSetup>;

export function describeProviderSetup(service: Service, provider: SocialProvider) {
  const { traits, publicApi, verifyDeauthorization, verifyDataDeletion, verifyWebhook } = service.provider(provider);
  return {
    provider,
    redirectUri: redirectUri(service, provider),
    deauthorizationUrl: verifyDeauthorization
      ? `${service.connectHost}/api/connect/deauthorize/${providerSlug(provider)}`
      : null,
    webhookUrl: verifyWebhook ? webhookUrl(service, provider) : null,
    dataDeletionUrl: verifyDataDeletion ? dataDeletionUrl(service, provider) : null,
    canRevoke: traits.canRevoke,
    publicApi,
  };
}
