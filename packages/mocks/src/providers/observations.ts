import type { ContentKind, MetricName, ObservationReason } from "@social-connect/contract";
import { METRIC_NAMES } from "@social-connect/contract";
import type { PostForm, Visibility } from "../state/providerState.ts";
import type { MetricReading, Observation } from "../state/state.ts";
import type { Account } from "./accounts.ts";
import type { Post } from "./posts.ts";
import { countAt, postUrl } from "./posts.ts";

/** `ask`: numbers are read. `not-granted`: the grant does not cover them. `none`: nobody wants them. */
export type MetricsMode = "ask" | "not-granted" | "none";

const KINDS: Readonly<Record<PostForm, ContentKind>> = {
  video: "VIDEO",
  short: "VIDEO",
  live: "VIDEO",
  reel: "VIDEO",
  image: "IMAGE",
  carousel: "CAROUSEL",
};

/** A post as the provider shows it to the connection at `now`; what a provider does not give is null. */
export function observe(
  account: Account,
  post: Post,
  visibility: Visibility,
  mode: MetricsMode,
  now: Date,
): Observation {
  const { provider } = account;
  const isVideo = KINDS[post.form] === "VIDEO";
  const isPrivate = visibility === "private";
  return {
    providerContentId: post.id,
    kind: KINDS[post.form],
    canonicalUrl: postUrl(account, post),
    thumbnailUrl: provider === "PROVIDER_A" || (provider === "PROVIDER_C" && !isVideo) ? null : thumbnailUrl(post),
    title: provider === "PROVIDER_C" ? null : post.title,
    description: post.text,
    publishedAt: post.publishedAt,
    availability: isPrivate ? "UNAVAILABLE" : "AVAILABLE",
    reason: isPrivate ? "PRIVATE_AT_PROVIDER" : null,
    metrics: metricsOf(account, post, mode, now),
  };
}

/** A post that PROVIDER_A's list still names and that is gone. It does not tell when it was published. */
export function observeGone(account: Account, post: Post, mode: MetricsMode): Observation {
  return {
    providerContentId: post.id,
    kind: "VIDEO",
    canonicalUrl: postUrl(account, post),
    thumbnailUrl: null,
    title: null,
    description: null,
    publishedAt: null,
    availability: "UNAVAILABLE",
    reason: "DELETED_AT_PROVIDER",
    metrics: mode === "none" ? [] : METRIC_NAMES.map((name) => missing(account, name, mode)),
  };
}

function metricsOf(account: Account, post: Post, mode: MetricsMode, now: Date): MetricReading[] {
  if (mode === "none") return [];
  return METRIC_NAMES.map((name) => {
    const isOffered = !(account.provider === "PROVIDER_A" && name === "SHARES");
    if (!isOffered) return notOffered(name);
    if (mode === "not-granted" && !hasOwnCount(account, name)) return missing(account, name, mode);
    const set = post.metrics?.[name];
    if (set !== undefined) {
      return set === null ? missing(account, name, "ask", "METRIC_HIDDEN") : given(account, post, name, set);
    }
    if (name === "SHARES" && account.script.sharesMissing) return notOffered(name);
    if (account.script.metricsMissing && !hasOwnCount(account, name)) return missing(account, name, "ask");
    if ((name === "LIKES" && post.likesHidden) || (name === "COMMENTS" && post.commentsOff)) {
      return missing(account, name, "ask", "METRIC_HIDDEN");
    }
    if (account.provider === "PROVIDER_C" && post.insights !== "given" && !hasOwnCount(account, name)) {
      return post.insights === "before-professional" ? notOffered(name) : missing(account, name, "ask");
    }
    return given(account, post, name, countAt(post, name, now).toString());
  });
}

/** PROVIDER_C gives likes and comments with the post itself too, where its insights are silent. */
function hasOwnCount({ provider }: Account, name: MetricName): boolean {
  return provider === "PROVIDER_C" && (name === "LIKES" || name === "COMMENTS");
}

const FIELDS = {
  PROVIDER_A: {
    VIEWS: "statistics.viewCount",
    LIKES: "statistics.likeCount",
    COMMENTS: "statistics.commentCount",
    SHARES: null,
  },
  PROVIDER_B: { VIEWS: "view_count", LIKES: "like_count", COMMENTS: "comment_count", SHARES: "share_count" },
  PROVIDER_C: {
    VIEWS: "insights.views.total_value.value",
    LIKES: "like_count",
    COMMENTS: "comments_count",
    SHARES: "insights.shares.values[0].value",
  },
} as const;

/** PROVIDER_C's insights tell likes and comments as well, and come first where they do. */
const INSIGHT_FIELDS: Readonly<Partial<Record<MetricName, string>>> = {
  LIKES: "insights.likes.values[0].value",
  COMMENTS: "insights.comments.values[0].value",
};

function given({ provider, script }: Account, { insights }: Post, name: MetricName, value: string): MetricReading {
  const isInsight = provider === "PROVIDER_C" && insights === "given" && !script.metricsMissing;
  const sourceField = (isInsight ? INSIGHT_FIELDS[name] : undefined) ?? FIELDS[provider][name];
  return { name, value, availability: "AVAILABLE", reason: null, sourceField };
}

function missing(
  { provider }: Account,
  name: MetricName,
  mode: MetricsMode,
  reason: ObservationReason = "METRIC_NOT_GIVEN",
): MetricReading {
  const sourceField = FIELDS[provider][name];
  if (sourceField === null) return notOffered(name);
  if (mode === "not-granted") {
    return { name, value: null, availability: "NOT_GRANTED", reason: "NOT_GRANTED", sourceField: null };
  }
  return { name, value: null, availability: "UNAVAILABLE", reason, sourceField };
}

function notOffered(name: MetricName): MetricReading {
  return { name, value: null, availability: "UNSUPPORTED", reason: "METRIC_NOT_OFFERED", sourceField: null };
}

function thumbnailUrl(post: Post): string {
  return `https://media.example.test/${post.shortcode}.jpg`;
}
