import { randomUuid, scopesByCapability } from "@social-connect/provider-fixtures";
import type { SimulatedProvider } from "./provider.ts";

export const PROVIDER_B: SimulatedProvider = {
  label: "provider B",
  consentParameters: () => ({ disable_auto_auth: "1" }),
  createAccountId: randomUuid,
  accountFields: ({ accountId, handle }) => ({
    providerUserKey: accountId,
    handle,
    profileUrl: `https://www.tiktok.com/@${handle}`,
  }),
  scopes: {
    byCapability: scopesByCapability(["basic", "profile"], ["videos"], ["videos"]),
    required: ["basic"],
    partial: ["basic", "profile"],
    least: ["basic"],
    metrics: null,
  },
  tokensNameOwner: true,
  reportsRemovedApp: false,
  messages: ["webhook"],
  showsHiddenPosts: false,
  identifiesForeignPosts: false,
  quotaWaitSeconds: () => null,
  listing: { pageSize: 20, readsAccountFirst: false, pagesByTime: true, maxPosts: null, maxOldPosts: null },
  createPostId: (random, publishedAt) =>
    ((BigInt(Math.floor(publishedAt.getTime() / 1_000)) << 32n) | BigInt(random.word())).toString(),
  metrics: {
    fields: { VIEWS: "view_count", LIKES: "like_count", COMMENTS: "comment_count", SHARES: "share_count" },
  },
};
