import { createHmac } from "node:crypto";
import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import type { Account, Post } from "../../accounts/account.ts";
import { countsAt } from "../../accounts/counts.ts";
import { uuidLike } from "../../accounts/ids.ts";
import { VIDEO_TEXT_MAX } from "../../accounts/traits.ts";
import { clip } from "../../accounts/writeText.ts";
import { HOUR_MS, SECOND_MS } from "../../shared/clock.ts";
import { names } from "../../shared/names.ts";
import { digest } from "../../shared/random.ts";
import { SCOPE_B_BASIC, SCOPE_B_PROFILE, SCOPE_B_STATS } from "./scopes.ts";

/** The required scope of each user field. */
export const USER_FIELD_SCOPES: Readonly<Record<string, string>> = {
  ...withScope(SCOPE_B_BASIC, "open_id union_id avatar_url avatar_url_100 avatar_large_url display_name"),
  ...withScope(SCOPE_B_PROFILE, "bio_description profile_deep_link is_verified username"),
  ...withScope(SCOPE_B_STATS, "follower_count following_count likes_count video_count"),
};

export const VIDEO_FIELDS = names(`
  id create_time cover_image_url share_url video_description duration height width title embed_html embed_link
  like_count comment_count share_count view_count is_aigc
`);

function withScope(scope: string, fields: string): Record<string, string> {
  return Object.fromEntries([...names(fields)].map((field) => [field, scope]));
}

export function user(account: Account, videoCount: number, baseUrl: string): Record<string, unknown> {
  const avatar = `${baseUrl}/media/avatars/provider-b/${account.name}.svg`;
  return {
    open_id: account.accountId,
    union_id: uuidLike("union-id", account.personKey),
    avatar_url: avatar,
    avatar_url_100: `${avatar}?s=100`,
    avatar_large_url: `${avatar}?s=1080`,
    display_name: account.displayName,
    bio_description: account.description,
    profile_deep_link: `https://vm.tiktok.com/${digest("deep-link", account.name).toString("base64url").slice(0, 9)}/`,
    is_verified: account.followers > 100_000,
    username: account.handle,
    follower_count: account.followers,
    following_count: account.following,
    likes_count: account.followers * 11,
    video_count: videoCount,
  };
}

/** A video with all fields; counts are numbers, `create_time` is in seconds. */
export function video(account: Account, post: Post, baseUrl: string, now: Date): Record<string, unknown> {
  const counts = countsAt(post, now);
  const campaign = `utm_campaign=tt4d_open_api&utm_source=${digest("campaign", account.name).toString("hex").slice(0, 16)}`;
  return {
    id: post.id,
    create_time: Math.floor(post.publishedAt.getTime() / 1_000),
    cover_image_url: coverUrl(baseUrl, post, now),
    share_url: `${PROVIDER_FIXTURES.PROVIDER_B.postUrl(post, account.handle)}?${campaign}`,
    video_description: clip(post.text ?? "", VIDEO_TEXT_MAX),
    duration: post.durationSeconds,
    height: post.height,
    width: post.width,
    title: clip(post.title ?? "", VIDEO_TEXT_MAX),
    embed_html: `<blockquote class="tiktok-embed" data-video-id="${post.id}"></blockquote>`,
    embed_link: `https://www.tiktok.com/player/v1/${post.id}?hide_author=1&${campaign}`,
    ...(!post.metricsMissing && {
      like_count: Number(counts.likes),
      comment_count: Number(counts.comments),
      share_count: Number(counts.shares),
      view_count: Number(counts.views),
    }),
    is_aigc: false,
  };
}

export function pickFields(
  whole: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => fields.includes(name)));
}

const COVER_LIFETIME_MS = 6 * HOUR_MS;
/** Not a secret: it only makes a URL with a changed expiry fail, like at the provider. */
const SIGNING_KEY = "cover pictures of the simulator";

/** URL of a cover picture, valid for 6 hours. */
function coverUrl(baseUrl: string, post: Post, now: Date): string {
  const expires = `${Math.floor((now.getTime() + COVER_LIFETIME_MS) / SECOND_MS)}`;
  const url = new URL(`${baseUrl}/media/provider-b/${post.accountName}/${post.id}.image`);
  url.searchParams.set("x-expires", expires);
  url.searchParams.set("x-signature", signature(post.id, expires));
  return url.toString();
}

export function coverUrlIsValid(postId: string, query: URLSearchParams, now: Date): boolean {
  const expires = query.get("x-expires") ?? "";
  const given = query.get("x-signature") ?? "";
  return signature(postId, expires) === given && Number(expires) * SECOND_MS > now.getTime();
}

function signature(postId: string, expires: string): string {
  return createHmac("sha256", SIGNING_KEY).update(`${postId} ${expires}`).digest("base64");
}
