import type { Account, Post } from "../../accounts/account.ts";
import { countsAt } from "../../accounts/counts.ts";
import { appScopedIdFor } from "../../accounts/ids.ts";
import { names } from "../../shared/names.ts";
import { digits } from "../../shared/random.ts";

type Shape = Record<string, unknown>;

export const USER_FIELDS = names(`
  id user_id username name account_type profile_picture_url followers_count follows_count media_count biography website
`);

export const MEDIA_FIELDS = names(`
  id ig_id caption comments_count like_count is_comment_enabled media_product_type media_type media_url owner permalink
  shortcode thumbnail_url timestamp username alt_text children
`);

export function user(account: Account, clientId: string, mediaCount: number, baseUrl: string): Shape {
  return {
    id: appScopedIdFor(account.accountId, clientId),
    user_id: account.accountId,
    username: account.handle,
    name: account.displayName,
    account_type: account.script.sharesMissing ? "MEDIA_CREATOR" : "BUSINESS",
    profile_picture_url: `${baseUrl}/media/avatars/provider-c/${account.name}.svg`,
    followers_count: account.followers,
    follows_count: account.following,
    media_count: mediaCount,
    biography: account.description,
    website: "https://example.test/home/",
  };
}

/** A post with all fields. Empty captions, hidden counts and thumbnails of pictures are absent. */
export function media(
  account: Account,
  post: Post,
  clientId: string,
  baseUrl: string,
  now: Date,
  childFields: readonly FieldRequest[],
): Shape {
  const counts = countsAt(post, now);
  const picture = `${baseUrl}/media/provider-c/${account.name}/${post.id}.svg`;
  const reel = post.form === "reel";
  return {
    id: post.id,
    ig_id: digits(19, "ig-id", post.id),
    ...(post.text !== null && { caption: post.text }),
    ...(!post.commentsOff && { comments_count: Number(counts.comments) }),
    ...(!post.likesHidden && { like_count: Number(counts.likes) }),
    is_comment_enabled: !post.commentsOff,
    media_product_type: reel ? "REELS" : "FEED",
    media_type: reel ? "VIDEO" : post.form === "carousel" ? "CAROUSEL_ALBUM" : "IMAGE",
    // Omitted for reels, as the provider does if they contain music; the simulator has no videos.
    ...(!reel && { media_url: picture }),
    owner: { id: appScopedIdFor(account.accountId, clientId) },
    permalink: `https://www.instagram.com/${reel ? "reel" : "p"}/${post.shortcode}/`,
    shortcode: post.shortcode,
    ...(reel && { thumbnail_url: picture }),
    timestamp: timestamp(post.publishedAt),
    username: account.handle,
    ...(post.form === "carousel" && {
      children: { data: children(post, baseUrl).map((child) => pick(child, childFields)) },
    }),
  };
}

/** The pictures of an album: no caption, no counts, no insights. */
export function children(post: Post, baseUrl: string): Shape[] {
  return Array.from({ length: post.childCount }, (_, index) => ({
    id: `178${digits(14, "child", post.id, index)}`,
    media_type: "IMAGE",
    media_url: `${baseUrl}/media/provider-c/${post.accountName}/${post.id}.svg?child=${index}`,
    permalink: `https://www.instagram.com/p/${post.shortcode}/`,
    shortcode: post.shortcode,
    timestamp: timestamp(post.publishedAt),
  }));
}

/** Selects the requested fields; `id` is always included. */
export function pick(whole: Readonly<Shape>, fields: readonly FieldRequest[]): Shape {
  const names = new Set(["id", ...fields.map((field) => field.name)]);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.has(name)));
}

/** `2026-07-20T21:30:04+0000`: an offset without a colon. */
function timestamp(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, "+0000");
}

/** A field of a `fields` parameter with its subfields: `id,children{id,media_type}`. */
export interface FieldRequest {
  readonly name: string;
  readonly nested: readonly FieldRequest[];
}

/** Normalizes a list parameter to a comma-separated string: it may be repeated, or a JSON array as the provider's SDK sends. */
export function graphList(query: URLSearchParams, name: string): string {
  return query.getAll(name).map(withCommas).join(",");
}

function withCommas(value: string): string {
  if (!value.startsWith("[")) return value;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.join(",") : value;
  } catch {
    return value;
  }
}

/** Returns null if the braces do not match or a name is invalid. Subfields have none of their own. */
export function parseFields(text: string): FieldRequest[] | null {
  const bare = text.replaceAll(/\s/g, "");
  const fields: FieldRequest[] = [];
  let read = 0;
  for (const [whole, name = "", inner = ""] of bare.matchAll(/([a-z_]+)(?:\{([^{}]*)\})?(?:,|$)/gy)) {
    const nested = parseFields(inner);
    if (nested === null) return null;
    fields.push({ name, nested });
    read += whole.length;
  }
  return read === bare.length ? fields : null;
}
