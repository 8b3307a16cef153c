import type { SocialProvider } from "@social-connect/contract";

/** Type of a post at its provider. */
export type PostForm = "video" | "short" | "live" | "image" | "carousel" | "reel" | "photo";
/** Who may see a post at its provider; `deleted` is permanent. */
export type Visibility = "public" | "unlisted" | "private" | "deleted";

/** What the simulator and the mocks show differently for each provider. */
export interface ProviderFixtures {
  /** Accounts without a script. */
  readonly ordinaryAccounts: readonly string[];
  /** Forms of posts, each with the share of posts up to and including it. */
  readonly forms: readonly (readonly [form: PostForm, upTo: number])[];
  readonly hasUnlistedPosts: boolean;
  readonly hasPostsWithoutText: boolean;
  /** Optional fields that the provider may refuse: the text of the profile, and the text or the metrics of posts. */
  readonly refusedFields: {
    readonly profile: string | null;
    readonly post: { readonly name: string; readonly holds: "text" | "metrics" };
  };
  /** The most views that the API can return. */
  readonly largestViewCount: bigint;
  /** A revocation ends every grant of the user to the application, not only the revoked one. */
  readonly grantsEndTogether: boolean;
  readonly accessTokenSeconds: number;
  /** null for a refresh token without an expiry, `none` for a provider without refresh tokens. */
  readonly refreshTokenSeconds: number | null | "none";
  /** The URL of a post for people. */
  readonly postUrl: (
    post: { readonly id: string; readonly shortcode: string; readonly form: PostForm },
    handle: string,
  ) => string;
}

const DAY_SECONDS = 86_400;

export const PROVIDER_FIXTURES = {
  PROVIDER_A: {
    ordinaryAccounts: ["harbor-workshop", "kitchen-atlas", "night-trains"],
    forms: [
      ["video", 0.7],
      ["short", 0.93],
      ["live", 1],
    ],
    hasUnlistedPosts: true,
    hasPostsWithoutText: false,
    refusedFields: { profile: null, post: { name: "statistics", holds: "metrics" } },
    // Counts are text, so they can exceed 2^53.
    largestViewCount: 9_223_372_036_854_775_807n,
    grantsEndTogether: true,
    accessTokenSeconds: 3_599,
    refreshTokenSeconds: null,
    postUrl: ({ id }) => `https://www.youtube.com/watch?v=${id}`,
  },
  PROVIDER_B: {
    ordinaryAccounts: ["paper-cranes", "street-baker", "desert-runner"],
    // Ordinary accounts have no photo posts.
    forms: [
      ["video", 1],
      ["photo", 1],
    ],
    hasUnlistedPosts: false,
    hasPostsWithoutText: true,
    refusedFields: { profile: "bio_description", post: { name: "video_description", holds: "text" } },
    largestViewCount: 4_611_686_018_427n,
    grantsEndTogether: false,
    accessTokenSeconds: DAY_SECONDS,
    refreshTokenSeconds: 365 * DAY_SECONDS,
    postUrl: ({ id, form }, handle) =>
      `https://www.tiktok.com/@${handle}/${form === "photo" ? "photo" : "video"}/${id}`,
  },
  PROVIDER_C: {
    ordinaryAccounts: ["tidepool-studio", "linen-and-clay", "city-swifts"],
    forms: [
      ["image", 0.4],
      ["carousel", 0.65],
      ["reel", 1],
    ],
    hasUnlistedPosts: false,
    hasPostsWithoutText: true,
    refusedFields: { profile: "biography", post: { name: "caption", holds: "text" } },
    largestViewCount: 4_611_686_018_427n,
    grantsEndTogether: false,
    accessTokenSeconds: 60 * DAY_SECONDS,
    refreshTokenSeconds: "none",
    postUrl: ({ shortcode, form }) => `https://www.instagram.com/${form === "reel" ? "reel" : "p"}/${shortcode}/`,
  },
} satisfies Readonly<Record<SocialProvider, ProviderFixtures>>;
