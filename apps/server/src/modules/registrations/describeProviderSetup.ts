import type { SocialProvider } from "@social-connect/contract";
import type { PublicApi } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { providerSlug, redirectUri } from "./callbackAddress.ts";

/** What a person has to know to register the service at a provider, and to write that registration down here. */
export interface ProviderSetup {
  readonly provider: SocialProvider;
  /** The one redirect address to register there. */
  readonly redirectUri: string;
  /** Where the provider tells that a person removed the app; null where it tells nobody. */
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
