import type { PostForm } from "@social-connect/provider-fixtures";
import type { ByProvider } from "../shared/providerKeys.ts";
import { digest, digits } from "../shared/random.ts";
import { uuidLike } from "./ids.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The differences between providers in accounts and posts. */
export interface AccountTraits {
  accountId(name: string): string;
  postId(account: string, slot: string, publishedAt: Date): string;
  size(form: PostForm): Size;
  /** Videos last a minute at most. */
  readonly hasBriefVideos: boolean;
  /** In UTF-16 units. */
  readonly longestText: number;
  readonly titlesMayEndWithSpace?: true;
}

const UPRIGHT: Size = { width: 720, height: 1_280 };
const WIDE: Size = { width: 1_280, height: 720 };
const SQUARE: Size = { width: 1_080, height: 1_080 };
export const VIDEO_TEXT_MAX = 150;

/** Ids do not depend on the seed, so that lists of testers stay valid. */
export const ACCOUNT_TRAITS: ByProvider<AccountTraits> = {
  "provider-a": {
    accountId: (name) => `UC${digest("channel", name).toString("base64url").slice(0, 22)}`,
    postId: (account, slot) => digest("video", account, slot).toString("base64url").slice(0, 11),
    size: (form) => (form === "short" ? UPRIGHT : WIDE),
    hasBriefVideos: false,
    longestText: 5_000,
  },
  "provider-b": {
    accountId: (name) => (name === "unicode" ? oddOpenId(name) : uuidLike("open-id", name)),
    postId: snowflake,
    size: () => UPRIGHT,
    hasBriefVideos: true,
    longestText: VIDEO_TEXT_MAX,
    titlesMayEndWithSpace: true,
  },
  "provider-c": {
    accountId: (name) => `17841${digits(12, "user", name)}`,
    postId: (account, slot) => `179${digits(14, "media", account, slot)}`,
    size: (form) => (form === "reel" ? UPRIGHT : SQUARE),
    hasBriefVideos: false,
    longestText: 2_200,
  },
};

/** Has the seconds in the upper half, like the real ids; some ids have 20 digits, which exceeds 2^63. */
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
