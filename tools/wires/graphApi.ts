import { FacebookAdsApi } from "facebook-nodejs-business-sdk";

/**
 * The client of Meta's SDK for one access token, with its host replaced: the SDK names that in a static getter and has no
 * option for it. Without its crash reporter, which would write to Meta.
 */
export function graphApi(origin: string, accessToken: string): FacebookAdsApi {
  Object.defineProperty(FacebookAdsApi, "GRAPH", { configurable: true, get: () => origin });
  return new FacebookAdsApi(accessToken, "en_US", false);
}
