import { randomDigits, randomFor, randomText, scopesByCapability } from "@social-connect/provider-fixtures";
import type { SimulatedProvider } from "./provider.ts";

export const PROVIDER_C: SimulatedProvider = {
  label: "provider C",
  consentParameters: (isAccountChoice) => (isAccountChoice ? { force_reauth: "true" } : {}),
  createAccountId: (random) => `17841${randomDigits(random, 12)}`,
  accountFields: ({ accountId, handle }) => ({
    providerUserKey: `2776${randomText(randomFor("app-scoped", accountId), 13, "0123456789")}`,
    handle,
    profileUrl: `https://www.instagram.com/${encodeURIComponent(handle)}/`,
  }),
  scopes: {
    byCapability: scopesByCapability(["basic"], ["basic"], ["basic", "insights"]),
    required: ["basic"],
    partial: ["basic"],
    least: [],
    metrics: "insights",
  },
  tokensNameOwner: true,
  reportsRemovedApp: true,
  messages: ["deauthorization", "data-deletion"],
  showsHiddenPosts: false,
  identifiesForeignPosts: false,
  quotaWaitSeconds: () => 15 * 60,
  listing: { pageSize: 50, readsAccountFirst: false, pagesByTime: false, maxPosts: 10_000, maxOldPosts: null },
  createPostId: (random) => `179${randomDigits(random, 14)}`,
  metrics: {
    fields: {
      VIEWS: "insights.views.total_value.value",
      LIKES: "like_count",
      COMMENTS: "comments_count",
      SHARES: "insights.shares.values[0].value",
    },
    insightFields: {
      LIKES: "insights.likes.values[0].value",
      COMMENTS: "insights.comments.values[0].value",
    },
  },
};
