import type { SocialProvider } from "@social-connect/contract";
import { providerSlug } from "@social-connect/domain";
import type { PublicApi } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { dataDeletionUrl, redirectUri, webhookUrl } from "./callbackAddress.ts";

/** What an admin needs to register the service at a provider and to enter that registration here. */
export interface ProviderSetup {
  readonly provider: SocialProvider;
  /** The only redirect URI to register there. */
  readonly redirectUri: string;
  /** Where the provider reports that a user removed the app; null where it does not. */
  readonly deauthorizationUrl: string | null;
  /** Where the provider sends webhooks; null where it sends none. */
  readonly webhookUrl: string | null;
  /** Where the provider asks for the deletion of a user's data; null where it does not. */
  readonly dataDeletionUrl: string | null;
  readonly canRevoke: boolean;
  readonly publicApi: PublicApi;
}

export function describeProviderSetup(service: Service, provider: SocialProvider): ProviderSetup {
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
