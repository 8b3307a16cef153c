import { PROVIDER_TRAITS } from "@social-connect/domain";
import type { ProviderTraits, PublicApi } from "../contract.ts";

export const traits: ProviderTraits = PROVIDER_TRAITS.PROVIDER_C;

const BASIC = ["instagram_business_basic"];

export const publicApi: PublicApi = {
  name: traits.publicApi,
  addresses: {
    authorization: "https://www.instagram.com/oauth/authorize",
    token: "https://api.instagram.com/oauth/access_token",
    api: "https://graph.instagram.com",
  },
  scopes: {
    PROFILE: BASIC,
    CONTENT_LIST: BASIC,
    CONTENT_LOOKUP: BASIC,
    CONTENT_METRICS: [...BASIC, "instagram_business_manage_insights"],
  },
};
