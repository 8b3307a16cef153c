import { PROVIDER_TRAITS } from "@social-connect/domain";
import type { ProviderTraits, PublicApi } from "../contract.ts";

export const traits: ProviderTraits = PROVIDER_TRAITS.PROVIDER_A;

/** One scope covers all reads. */
const READ = ["https://www.googleapis.com/auth/youtube.readonly"];

export const publicApi: PublicApi = {
  name: `Google OAuth 2.0 and the ${traits.publicApi}`,
  addresses: {
    authorization: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
    revocation: "https://oauth2.googleapis.com/revoke",
    api: "https://www.googleapis.com/youtube/v3",
  },
  scopes: { PROFILE: READ, CONTENT_LIST: READ, CONTENT_LOOKUP: READ, CONTENT_METRICS: READ },
};
