import { randomUuid } from "../util/random.ts";
import type { SimulatedProvider } from "./provider.ts";
import { DAY_SECONDS, scopesByCapability } from "./provider.ts";

export const PROVIDER_B: SimulatedProvider = {
  label: "provider B",
  ordinaryAccounts: ["paper-cranes", "street-baker", "desert-runner"],
  createAccountId: randomUuid,
  accountFields: ({ accountId, handle }) => ({
    providerUserKey: accountId,
    handle,
    profileUrl: `https://www.tiktok.com/@${handle}`,
  }),
  scopes: {
    byCapability: scopesByCapability(["basic", "profile"], ["videos"], ["videos"]),
    required: ["basic"],
    singleIsRequired: false,
    partial: ["basic", "profile"],
    least: ["basic"],
    metrics: null,
  },
  tokens: { accessSeconds: DAY_SECONDS, refreshSeconds: 365 * DAY_SECONDS },
  tokensNameOwner: true,
  revokesEveryGrant: false,
  reportsRemovedApp: false,
  showsHiddenPosts: false,
  identifiesForeignPosts: false,
  listing: { pageSize: 20, pagesByTime: true, maxPosts: null, maxOldPages: null },
  posts: {
    forms: [{ form: "video", below: 1 }],
    createId: (random, publishedAt) =>
      ((BigInt(Math.floor(publishedAt.getTime() / 1_000)) << 32n) | BigInt(random.word())).toString(),
    url: ({ id }, handle) => `https://www.tiktok.com/@${handle}/video/${id}`,
    hasTitles: true,
    requiresText: false,
    hasUnlisted: false,
    thumbnails: "all",
    largestViewCount: 4_611_686_018_427n,
  },
  metrics: {
    fields: { VIEWS: "view_count", LIKES: "like_count", COMMENTS: "comment_count", SHARES: "share_count" },
  },
};
