import { randomDigits, randomFor, randomText } from "../util/random.ts";
import type { SimulatedProvider } from "./provider.ts";
import { DAY_SECONDS, scopesByCapability } from "./provider.ts";

export const PROVIDER_C: SimulatedProvider = {
  label: "provider C",
  ordinaryAccounts: ["tidepool-studio", "linen-and-clay", "city-swifts"],
  createAccountId: (random) => `17841${randomDigits(random, 12)}`,
  accountFields: ({ accountId, handle }) => ({
    providerUserKey: `2776${randomText(randomFor("app-scoped", accountId), 13, "0123456789")}`,
    handle,
    profileUrl: `https://www.instagram.com/${encodeURIComponent(handle)}/`,
  }),
  scopes: {
    byCapability: scopesByCapability(["basic"], ["basic"], ["basic", "insights"]),
    required: ["basic"],
    singleIsRequired: false,
    partial: ["basic"],
    least: [],
    metrics: "insights",
  },
  tokens: { accessSeconds: 60 * DAY_SECONDS, refreshSeconds: "none" },
  tokensNameOwner: true,
  revokesEveryGrant: false,
  reportsRemovedApp: true,
  showsHiddenPosts: false,
  identifiesForeignPosts: false,
  listing: { pageSize: 50, pagesByTime: false, maxPosts: 10_000, maxOldPages: null },
  posts: {
    forms: [
      { form: "image", below: 0.4 },
      { form: "carousel", below: 0.65 },
      { form: "reel", below: 1 },
    ],
    createId: (random) => `179${randomDigits(random, 14)}`,
    url: ({ shortcode, form }) => `https://www.instagram.com/${form === "reel" ? "reel" : "p"}/${shortcode}/`,
    hasTitles: false,
    requiresText: false,
    hasUnlisted: false,
    thumbnails: "videos",
    largestViewCount: 4_611_686_018_427n,
  },
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
