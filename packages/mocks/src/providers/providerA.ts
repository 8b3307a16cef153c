import { randomText } from "../util/random.ts";
import type { SimulatedProvider } from "./provider.ts";
import { HOUR_SECONDS, scopesByCapability } from "./provider.ts";

export const PROVIDER_A: SimulatedProvider = {
  label: "provider A",
  ordinaryAccounts: ["harbor-workshop", "kitchen-atlas", "night-trains"],
  createAccountId: (random) => `UC${randomText(random, 22)}`,
  accountFields: ({ accountId, handle }) => ({
    providerUserKey: null,
    handle: `@${handle}`,
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
  tokens: { accessSeconds: HOUR_SECONDS - 1, refreshSeconds: null },
  tokensNameOwner: false,
  revokesEveryGrant: true,
  reportsRemovedApp: false,
  showsHiddenPosts: true,
  identifiesForeignPosts: true,
  // The list is ordered by the time a video was added: an old upload that was made public recently is deep in the list.
  listing: { pageSize: 50, pagesByTime: false, maxPosts: null, maxOldPages: 100 },
  posts: {
    forms: [
      { form: "video", below: 0.7 },
      { form: "short", below: 0.93 },
      { form: "live", below: 1 },
    ],
    createId: (random) => randomText(random, 11),
    url: ({ id }) => `https://www.youtube.com/watch?v=${id}`,
    hasTitles: true,
    requiresText: true,
    hasUnlisted: true,
    thumbnails: "none",
    largestViewCount: 9_223_372_036_854_775_807n,
  },
  metrics: {
    fields: {
      VIEWS: "statistics.viewCount",
      LIKES: "statistics.likeCount",
      COMMENTS: "statistics.commentCount",
      SHARES: null,
    },
  },
};
