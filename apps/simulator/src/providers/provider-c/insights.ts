import type { Post } from "../../accounts/account.ts";
import { countsAt } from "../../accounts/counts.ts";
import { DAY_MS, HOUR_MS } from "../../shared/clock.ts";
import { jsonResponse } from "../../shared/http.ts";
import { badParameter, graphError } from "./errors.ts";

export const METRICS = ["views", "likes", "comments", "shares", "saved", "reach", "total_interactions"] as const;
type Metric = (typeof METRICS)[number];

/** Insights are delayed: a new post has an empty list, not zeros. */
const AVAILABLE_AFTER_MS = 2 * HOUR_MS;
/** Insights are available for two years. */
const AVAILABLE_FOR_MS = 2 * 365 * DAY_MS;

/** `/{media-id}/insights`: one entry per available metric. */
export function insightsResponse(post: Post, metrics: string, now: Date, headers: Record<string, string>): Response {
  const asked = metrics
    .split(",")
    .map((metric) => metric.trim())
    .filter((metric) => metric !== "");
  if (asked.length === 0) return badParameter("The parameter metric is required.");
  const unknown = asked.findIndex((metric) => !isMetric(metric));
  if (unknown >= 0)
    return badParameter(`metric[${unknown}] must be one of the following values: ${METRICS.join(", ")}`);
  if (post.insights === "too-few-viewers") {
    return graphError(10, "(#10) Not enough viewers for the media to show insights");
  }
  if (post.insights === "before-professional") {
    return graphError(100, "Invalid parameter", {
      subcode: 2_108_006,
      transient: false,
      userMessage:
        "The media was posted before the most recent time that the user's account was converted to a business account.",
    });
  }
  const ageMs = now.getTime() - post.publishedAt.getTime();
  const hasNumbers = !post.metricsMissing && ageMs >= AVAILABLE_AFTER_MS && ageMs <= AVAILABLE_FOR_MS;
  const values = valuesOf(post, now);
  const data = hasNumbers ? asked.filter(isMetric).flatMap((metric) => entry(post, metric, values[metric])) : [];
  return jsonResponse({ data }, 200, headers);
}

function isMetric(metric: string): metric is Metric {
  return METRICS.some((known) => known === metric);
}

function valuesOf(post: Post, now: Date): Record<Metric, number | null> {
  const counts = countsAt(post, now);
  const likes = post.likesHidden ? null : Number(counts.likes);
  const comments = post.commentsOff ? null : Number(counts.comments);
  const shares = post.sharesMissing ? null : Number(counts.shares);
  return {
    views: Number(counts.views),
    likes,
    comments,
    shares,
    saved: Number(counts.saved),
    reach: Math.floor(Number(counts.views) * 0.73),
    total_interactions: (likes ?? 0) + (comments ?? 0) + (shares ?? 0) + Number(counts.saved),
  };
}

/** `views` has `total_value` in addition to `values`. */
function entry(post: Post, metric: Metric, value: number | null): Record<string, unknown>[] {
  if (value === null) return [];
  const common = {
    name: metric,
    period: "lifetime",
    title: metric,
    description: `The ${metric} of this post since it was published.`,
    id: `${post.id}/insights/${metric}/lifetime`,
  };
  if (metric === "reach") return [{ ...common, total_value: { value } }];
  return [{ ...common, values: [{ value }], ...(metric === "views" && { total_value: { value } }) }];
}
