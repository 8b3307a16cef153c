import { METRIC_NAMES } from "@social-connect/contract";
import { ConfigurationError, requireOneOf } from "@social-connect/sdk-core";
import type { MetricName, MetricObservation } from "./_generated/types.ts";

/** A post with at least the names and values of its metrics. */
export interface PostWithMetrics {
  /** The metrics of the post. */
  readonly metrics: readonly Pick<MetricObservation, "name" | "value">[];
}

/**
 * A metric of a post as a number, or null if it is not available; the metric's `reason` says why. Values can exceed the
 * largest integer that a `number` holds exactly. JSON has no `bigint`: use `metricText` for a value that you serialize.
 */
export function metric(post: PostWithMetrics, name: MetricName): bigint | null {
  const text = metricText(post, name);
  return text === null ? null : BigInt(text);
}

/** The same as a decimal string, for JSON. */
export function metricText(post: PostWithMetrics, name: MetricName): string | null {
  const metrics: unknown = post?.metrics;
  if (!Array.isArray(metrics)) throw new ConfigurationError("post must be a post with its metrics.");
  const found: unknown = metrics.find((each) => each?.name === name);
  // A metric that a later version of the service adds has a name that this version does not know.
  if (found === undefined) requireOneOf("name", name, METRIC_NAMES);
  const value: unknown = Reflect.get(Object(found), "value");
  return typeof value === "string" && /^\d+$/.test(value) ? value : null;
}
