import { PROVIDER_TRAITS } from "@social-connect/domain";
import type { ProviderTraits, PublicApi } from "../contract.ts";

export const traits: ProviderTraits = PROVIDER_TRAITS.PROVIDER_B;

const VIDEOS = ["video.list"];

export const publicApi: PublicApi = {
  name: `TikTok Login Kit and the ${traits.publicApi}`,
  addresses: {
    authorization: "https://www.tiktok.com/v2/auth/authorize/",
    token: "https://open.tiktokapis.com/v2/oauth/token/",
    revocation: "https://open.tiktokapis.com/v2/oauth/revoke/",
    api: "https://open.tiktokapis.com/v2",
  },
  scopes: {
    PROFILE: ["user.info.basic", "user.info.profile"],
    CONTENT_LIST: VIDEOS,
    CONTENT_LOOKUP: VIDEOS,
    CONTENT_METRICS: VIDEOS,
  },
};
