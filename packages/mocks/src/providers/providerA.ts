import { quotaWindow } from "@social-connect/domain";
import { randomText, scopesByCapability } from "@social-connect/provider-fixtures";
import type { SimulatedProvider } from "./provider.ts";

export const PROVIDER_A: SimulatedProvider = {
  label: "provider A",
  consentParameters: () => ({ prompt: "consent select_account" }),
  createAccountId: (random) => `UC${randomText(random, 22)}`,
  accountFields: ({ accountId, handle }) => ({
    providerUserKey: null,
    handle,
    profileUrl: `https://www.youtube.com/channel/${accountId}`,
  }),
  scopes: {
    byCapability: scopesByCapability(["read"], ["read"], ["read"]),
    required: [],
    singleIsRequired: true,
    partial: [],
    least: [],
    metrics: null,
  },
  tokensNameOwner: false,
  reportsRemovedApp: false,
  messages: [],
  showsHiddenPosts: true,
  identifiesForeignPosts: true,
  quotaWaitSeconds: (now) => Math.ceil((quotaWindow("pacific-day", now).endsAt.getTime() - now.getTime()) / 1_000),
  // The list is ordered by the time a video was added: an old upload that was made public recently is deep in the list.
  listing: { pageSize: 50, readsAccountFirst: true, pagesByTime: false, maxPosts: null, maxOldPosts: 100 },
  createPostId: (random) => randomText(random, 11),
  metrics: {
    fields: {
      VIEWS: "statistics.viewCount",
      LIKES: "statistics.likeCount",
      COMMENTS: "statistics.commentCount",
      SHARES: null,
    },
  },
};
