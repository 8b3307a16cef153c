import type { Visibility } from "@social-connect/provider-fixtures";
import type { Account, Post } from "../../accounts/account.ts";
import { countsAt } from "../../accounts/counts.ts";
import { uploadsPlaylistFor } from "../../accounts/ids.ts";
import { MINUTE_MS } from "../../shared/clock.ts";
import { digest } from "../../shared/random.ts";

type Part = Record<string, unknown>;

const PROCESSING_MS = 30 * MINUTE_MS;

export function channel(account: Account, parts: ReadonlySet<string>, baseUrl: string, videoCount: number): Part {
  const thumbnail = (size: number): Part => ({
    url: `${baseUrl}/media/avatars/provider-a/${account.name}.svg?s=${size}`,
    width: size,
    height: size,
  });
  return {
    kind: "youtube#channel",
    etag: etag("channel", account.accountId),
    id: account.accountId,
    ...(parts.has("snippet") && {
      snippet: {
        title: account.displayName,
        description: account.description,
        customUrl: `@${account.handle}`,
        publishedAt: timestamp(account.createdAt),
        thumbnails: { default: thumbnail(88), medium: thumbnail(240), high: thumbnail(800) },
        localized: { title: account.displayName, description: account.description },
      },
    }),
    ...(parts.has("contentDetails") && {
      contentDetails: { relatedPlaylists: { likes: "", uploads: uploadsPlaylistFor(account.accountId) } },
    }),
    ...(parts.has("statistics") && {
      statistics: {
        viewCount: `${account.followers * 97}`,
        subscriberCount: `${account.followers}`,
        hiddenSubscriberCount: false,
        videoCount: `${videoCount}`,
      },
    }),
  };
}

/** An item of the uploads playlist. A deleted video has a fixed title and no owner, date or picture. */
export function playlistItem(
  account: Account,
  post: Post,
  position: number,
  visibility: Visibility,
  parts: ReadonlySet<string>,
  baseUrl: string,
): Part {
  const playlistId = uploadsPlaylistFor(account.accountId);
  const gone = visibility === "deleted";
  const suffix = digest("item", post.id).toString("hex").slice(0, 16).toUpperCase();
  return {
    kind: "youtube#playlistItem",
    etag: etag("item", post.id, visibility),
    id: Buffer.from(`${playlistId}.${suffix}`).toString("base64"),
    ...(parts.has("snippet") && {
      snippet: {
        publishedAt: timestamp(post.publishedAt),
        channelId: account.accountId,
        title: gone ? "Deleted video" : (post.title ?? ""),
        description: gone ? "This video is unavailable." : (post.text ?? ""),
        thumbnails: gone ? {} : thumbnails(post, baseUrl),
        channelTitle: account.displayName,
        playlistId,
        position,
        resourceId: { kind: "youtube#video", videoId: post.id },
        ...(gone ? {} : { videoOwnerChannelTitle: account.displayName, videoOwnerChannelId: account.accountId }),
      },
    }),
    ...(parts.has("contentDetails") && {
      contentDetails: { videoId: post.id, ...(gone ? {} : { videoPublishedAt: timestamp(post.publishedAt) }) },
    }),
    ...(parts.has("status") && { status: { privacyStatus: gone ? "privacyStatusUnspecified" : visibility } }),
  };
}

export function video(
  account: Account,
  post: Post,
  visibility: Visibility,
  parts: ReadonlySet<string>,
  baseUrl: string,
  now: Date,
): Part {
  return {
    kind: "youtube#video",
    etag: etag("video", post.id, visibility),
    id: post.id,
    ...(parts.has("snippet") && { snippet: videoSnippet(account, post, baseUrl) }),
    ...(parts.has("contentDetails") && {
      contentDetails: { duration: isoDuration(post.durationSeconds), definition: "hd", contentRating: {} },
    }),
    ...(parts.has("status") && {
      status: {
        uploadStatus: now.getTime() - post.publishedAt.getTime() < PROCESSING_MS ? "uploaded" : "processed",
        privacyStatus: visibility,
        embeddable: true,
      },
    }),
    ...(parts.has("statistics") && { statistics: statistics(post, now) }),
    ...(parts.has("liveStreamingDetails") &&
      post.form === "live" && {
        liveStreamingDetails: {
          actualStartTime: timestamp(post.publishedAt),
          actualEndTime: timestamp(new Date(post.publishedAt.getTime() + post.durationSeconds * 1_000)),
        },
      }),
  };
}

function videoSnippet(account: Account, post: Post, baseUrl: string): Part {
  return {
    publishedAt: timestamp(post.publishedAt),
    channelId: account.accountId,
    title: post.title ?? "",
    description: post.text ?? "",
    thumbnails: thumbnails(post, baseUrl),
    channelTitle: account.displayName,
    categoryId: "26",
    liveBroadcastContent: "none",
    localized: { title: post.title ?? "", description: post.text ?? "" },
  };
}

/** Counts are decimal strings. A hidden count is absent: neither null nor "0". */
function statistics(post: Post, now: Date): Part {
  if (post.metricsMissing) return {};
  const counts = countsAt(post, now);
  return {
    viewCount: counts.views.toString(),
    ...(post.likesHidden ? {} : { likeCount: counts.likes.toString() }),
    favoriteCount: "0",
    ...(post.commentsOff ? {} : { commentCount: counts.comments.toString() }),
  };
}

function thumbnails(post: Post, baseUrl: string): Part {
  const size = (width: number, height: number): Part => ({
    url: `${baseUrl}/media/provider-a/${post.accountName}/${post.id}.svg?w=${width}`,
    width,
    height,
  });
  return { default: size(120, 90), medium: size(320, 180), high: size(480, 360) };
}

/** Only some timestamps have milliseconds. */
function timestamp(date: Date): string {
  const text = date.toISOString();
  return date.getTime() % 7_000 === 0 ? text : text.replace(/\.000Z$/, "Z");
}

function isoDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const rest = seconds % 60;
  return `PT${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${rest > 0 || seconds === 0 ? `${rest}S` : ""}`;
}

function etag(...parts: string[]): string {
  return digest("etag", ...parts)
    .toString("base64url")
    .slice(0, 27);
}
