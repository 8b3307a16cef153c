import { type ContentKind, METRIC_NAMES, type MetricName, type ObservationReason } from "@social-connect/contract";
import {
  type ContentFields,
  type ContentObservation,
  EMPTY_CONTENT,
  type MetricReading,
  PROVIDER_TRAITS,
} from "@social-connect/domain";
import { grownCount, PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import type { PostForm, Visibility } from "../state/providerState.ts";
import type { Account } from "./accounts.ts";
import { type Post, postUrl } from "./posts.ts";
import { PROVIDERS } from "./providers.ts";

/** `read`, or `not-granted` without the scope for metrics, or `none` when the connection has no CONTENT_METRICS. */
export type MetricsMode = "read" | "not-granted" | "none";

const KINDS: Readonly<Record<PostForm, ContentKind>> = {
  video: "VIDEO",
  short: "VIDEO",
  live: "VIDEO",
  reel: "VIDEO",
  image: "IMAGE",
  carousel: "CAROUSEL",
  photo: "UNKNOWN",
};

/** A post as the provider returns it at `now`; a field that the provider does not have is null. */
export function observe(
  account: Account,
  post: Post,
  visibility: Visibility,
  mode: MetricsMode,
  now: Date,
): ContentObservation {
  const kind = KINDS[post.form];
  const isPrivate = visibility === "private";
  const content: ContentFields = {
    canonicalUrl: postUrl(account, post),
    thumbnailUrl: kind === "VIDEO" ? `https://media.example.test/${post.shortcode}.jpg` : null,
    title: post.title,
    description: refuses(account, "text") ? null : post.text,
    publishedAt: post.publishedAt,
  };
  return {
    ...content,
    ...Object.fromEntries(PROVIDER_TRAITS[account.provider].absentFields.map((field) => [field, null])),
    providerContentId: post.id,
    kind,
    availability: isPrivate ? "UNAVAILABLE" : "AVAILABLE",
    reason: isPrivate ? "PRIVATE_AT_PROVIDER" : null,
    metrics: metricsOf(account, post, mode, now),
  };
}

/** A deleted post that a listing still contains, without its publication time. */
export function observeDeleted(account: Account, post: Post, mode: MetricsMode): ContentObservation {
  return {
    ...EMPTY_CONTENT,
    providerContentId: post.id,
    kind: "VIDEO",
    canonicalUrl: postUrl(account, post),
    availability: "UNAVAILABLE",
    reason: "DELETED_AT_PROVIDER",
    metrics: mode === "none" ? [] : METRIC_NAMES.map((name) => missing(account, name, mode)),
  };
}

function metricsOf(account: Account, post: Post, mode: MetricsMode, now: Date): MetricReading[] {
  if (mode === "none") return [];
  const { fields, insightFields } = PROVIDERS[account.provider].metrics;
  return METRIC_NAMES.map((name) => {
    if (fields[name] === null) return notOffered(name);
    if (mode === "not-granted" && !hasOwnCount(account, name)) return missing(account, name, mode);
    const set = post.metrics?.[name];
    if (set !== undefined) {
      return set === null ? missing(account, name, "read", "METRIC_HIDDEN") : available(account, post, name, set);
    }
    if (name === "SHARES" && account.script.sharesMissing) return notOffered(name);
    if (lacksMetrics(account) && !hasOwnCount(account, name)) return missing(account, name, "read");
    if ((name === "LIKES" && post.likesHidden) || (name === "COMMENTS" && post.commentsOff)) {
      return missing(account, name, "read", "METRIC_HIDDEN");
    }
    const hasInsights = insightFields !== undefined || post.insights === "unreadable";
    if (hasInsights && post.insights !== "available" && !hasOwnCount(account, name)) {
      return post.insights === "before-professional" ? notOffered(name) : missing(account, name, "read");
    }
    return available(account, post, name, grownCount(post.popularity[name], post.publishedAt, now).toString());
  });
}

/** Where insights lack a metric, the post itself may show it. */
function hasOwnCount({ provider }: Account, name: MetricName): boolean {
  return PROVIDERS[provider].metrics.insightFields?.[name] !== undefined;
}

function lacksMetrics(account: Account): boolean {
  return account.script.metricsMissing === true || refuses(account, "metrics");
}

/** The provider refuses the field that holds them. */
function refuses({ provider, script }: Account, holds: "text" | "metrics"): boolean {
  return script.refusesFields === true && PROVIDER_FIXTURES[provider].refusedFields.post.holds === holds;
}

function available(account: Account, { insights }: Post, name: MetricName, value: string): MetricReading {
  const { fields, insightFields } = PROVIDERS[account.provider].metrics;
  const isInsight = insights === "available" && !lacksMetrics(account);
  const sourceField = (isInsight ? insightFields?.[name] : undefined) ?? fields[name];
  return { name, value, availability: "AVAILABLE", reason: null, sourceField };
}

function missing(
  { provider }: Account,
  name: MetricName,
  mode: MetricsMode,
  reason: ObservationReason = "METRIC_NOT_GIVEN",
): MetricReading {
  const sourceField = PROVIDERS[provider].metrics.fields[name];
  if (sourceField === null) return notOffered(name);
  if (mode === "not-granted") {
    return { name, value: null, availability: "NOT_GRANTED", reason: "NOT_GRANTED", sourceField: null };
  }
  return { name, value: null, availability: "UNAVAILABLE", reason, sourceField };
}

function notOffered(name: MetricName): MetricReading {
  return { name, value: null, availability: "UNSUPPORTED", reason: "METRIC_NOT_OFFERED", sourceField: null };
}
