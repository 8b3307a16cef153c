import type { SocialProvider } from "@social-connect/contract";
import { providerSlug } from "@social-connect/domain";
import type { PublicApi } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { redirectUri } from "./callbackAddress.ts";

/** What an admin needs to register the service at a provider and to enter that registration here. */
export interface ProviderSetup {
  readonly provider: SocialProvider;
  /** The only redirect URI to register there. */
  readonly redirectUri: string;
  /** Where the provider reports that a user removed the app; null where it does not. */
  readonly deauthorizationUrl: string | null;
  readonly canRevoke: boolean;
  readonly publicApi: PublicApi;
}

export function describeProviderSetup(service: Service, provider: SocialProvider): ProviderSetup {
  const { traits, publicApi, verifyDeauthorization } = service.provider(provider);
  return {
    provider,
    redirectUri: redirectUri(service, provider),
    deauthorizationUrl: verifyDeauthorization
      ? `${service.connectHost}/api/connect/deauthorize/${providerSlug(provider)}`
      : null,
    canRevoke: traits.canRevoke,
    publicApi,
  };
}
