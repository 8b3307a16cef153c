import type { ByProvider } from "../shared/providerKeys.ts";
import { digest, digits } from "../shared/random.ts";
import { uuidLike } from "./ids.ts";
import type { PostForm } from "./post.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** How accounts and posts differ from provider to provider. */
export interface AccountTraits {
  accountId(name: string): string;
  /** The id of an account's post in `slot`. */
  postId(account: string, slot: string, publishedAt: Date): string;
  /** Forms of posts, each with the share of posts up to and including it. */
  readonly forms: readonly (readonly [form: PostForm, upTo: number])[];
  size(form: PostForm): Size;
  /** Videos take a minute at most. */
  readonly hasBriefVideos: boolean;
  readonly hasUnlistedPosts: boolean;
  /** Some posts have no text. */
  readonly hasPostsWithoutText: boolean;
  /** Number of hashtags in a post that is not a short. */
  readonly tagCount: number;
  /** Longest title and text, in UTF-16 units. */
  readonly longestTitle: number;
  readonly longestText: number;
  /** The highest number of views that the wire can carry. */
  readonly mostViews: bigint;
  readonly writing: "titleAndDescription" | "oneLine" | "caption";
}

const UPRIGHT: Size = { width: 720, height: 1_280 };
const WIDE: Size = { width: 1_280, height: 720 };
const SQUARE: Size = { width: 1_080, height: 1_080 };
export const VIDEO_TEXT_MAX = 150;

/** Ids are the same for every seed, so that lists of testers stay valid. */
export const ACCOUNT_TRAITS: ByProvider<AccountTraits> = {
  "provider-a": {
    accountId: (name) => `UC${digest("channel", name).toString("base64url").slice(0, 22)}`,
    postId: (account, slot) => digest("video", account, slot).toString("base64url").slice(0, 11),
    forms: [
      ["video", 0.7],
      ["short", 0.93],
      ["live", 1],
    ],
    size: (form) => (form === "short" ? UPRIGHT : WIDE),
    hasBriefVideos: false,
    hasUnlistedPosts: true,
    hasPostsWithoutText: false,
    tagCount: 2,
    longestTitle: 100,
    longestText: 5_000,
    // Counts are text on this wire, so they go beyond 2^53.
    mostViews: 9_223_372_036_854_775_807n,
    writing: "titleAndDescription",
  },
  "provider-b": {
    accountId: (name) => (name === "unicode" ? oddOpenId(name) : uuidLike("open-id", name)),
    postId: snowflake,
    forms: [["video", 1]],
    size: () => UPRIGHT,
    hasBriefVideos: true,
    hasUnlistedPosts: false,
    hasPostsWithoutText: true,
    tagCount: 4,
    longestTitle: VIDEO_TEXT_MAX,
    longestText: VIDEO_TEXT_MAX,
    mostViews: 4_611_686_018_427n,
    writing: "oneLine",
  },
  "provider-c": {
    accountId: (name) => `17841${digits(12, "user", name)}`,
    postId: (account, slot) => `179${digits(14, "media", account, slot)}`,
    forms: [
      ["image", 0.4],
      ["carousel", 0.65],
      ["reel", 1],
    ],
    size: (form) => (form === "reel" ? UPRIGHT : SQUARE),
    hasBriefVideos: false,
    hasUnlistedPosts: false,
    hasPostsWithoutText: true,
    tagCount: 4,
    longestTitle: Number.POSITIVE_INFINITY,
    longestText: 2_200,
    mostViews: 4_611_686_018_427n,
    writing: "caption",
  },
};

/** Seconds in the upper half, as the real ids have; now and then 20 digits long, which is above 2^63. */
function snowflake(account: string, slot: string, publishedAt: Date): string {
  const seconds = BigInt(Math.floor(publishedAt.getTime() / 1_000));
  const low = BigInt(digest("video", account, slot).readUInt32LE(0));
  const id = (seconds << 32n) | low;
  return low % 31n === 0n ? (id + 10_000_000_000_000_000_000n).toString() : id.toString();
}

/** Some open ids are not UUIDs at all. */
function oddOpenId(name: string): string {
  const hex = digest("odd-open-id", name).toString("hex");
  return `${hex.slice(0, 4)}-${hex.slice(4, 10)}-${hex.slice(10, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 35)}`;
}
