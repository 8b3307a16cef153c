import type { MetricName } from "@social-connect/contract";
import { isRecord } from "../coerce.ts";
import { type MetricReading, ProviderError, type ProviderSession } from "../contract.ts";
import { type HttpAnswer, readApi } from "../httpJson.ts";
import {
  inOrder,
  METRIC_NOT_GRANTED,
  type MetricReadings,
  type MetricsMode,
  NOT_OFFERED,
  notGrantedMetrics,
  reading,
} from "../metrics.ts";
import { type GraphError, graphError, isMissingObject, isPostedBeforeProfessional, readFailure } from "./errors.ts";
import { traits } from "./publicApi.ts";
import { insightsWire, type MediaWire } from "./wire.ts";

type Reading = MetricReadings[MetricName];
const INSIGHT_NAMES = { VIEWS: "views", LIKES: "likes", COMMENTS: "comments", SHARES: "shares" } as const;
const METRICS = Object.keys(INSIGHT_NAMES) as MetricName[];

/**
 * Metrics of one post, from its insights; likes and comments fall back to the post's own counts, which are separate
 * fields. A refusal that concerns only this post's numbers does not fail the read.
 */
export async function readMetrics(
  session: ProviderSession,
  media: MediaWire,
  id: string,
  mode: MetricsMode,
): Promise<MetricReading[]> {
  if (mode === "none") return [];
  if (mode === "not-granted") return notGrantedMetrics(traits);
  return withCounts(await readInsights(session, id, METRICS), media);
}

/** The metrics of a post whose insights could not be read. */
export function metricsWithoutInsights(media: MediaWire): MetricReading[] {
  return withCounts(EMPTY, media);
}

function withCounts(insights: MetricReadings, media: MediaWire): MetricReading[] {
  return inOrder({
    VIEWS: insights.VIEWS,
    LIKES: withCount(insights.LIKES, media, "like_count"),
    COMMENTS: withCount(insights.COMMENTS, media, "comments_count"),
    SHARES: insights.SHARES,
  });
}

async function readInsights(
  session: ProviderSession,
  id: string,
  names: readonly MetricName[],
): Promise<MetricReadings> {
  const metric = names.map((name) => INSIGHT_NAMES[name]).join(",");
  const answer = await readApi(session, `${id}/insights`, { metric });
  const failure = readFailure(answer, session.capabilities.includes("CONTENT_METRICS"));
  const error = graphError(answer.body);
  if (failure !== null && error !== null && !error.transient) {
    const readings = readingOfRefusal(error, failure);
    if (readings !== null) return Object.fromEntries(METRICS.map((name) => [name, readings])) as MetricReadings;
    const isOfMetric = error.code === 100 || names.some((name) => error.message.includes(INSIGHT_NAMES[name]));
    if (failure.kind === "rejected" && isOfMetric) return readSeparately(session, id, names, error.message);
  }
  if (failure !== null) throw Object.assign(failure, { call: "METRICS" as const });
  if (!isRecord(answer.body) || !Array.isArray(answer.body.data)) {
    throw new ProviderError("unavailable", "the insights response is not a list");
  }
  return readingsOf(answer);
}

/**
 * One metric that a kind of post lacks makes the provider refuse the whole call. Metrics that its message names are
 * requested separately; if it names none, each metric is requested separately.
 */
async function readSeparately(
  session: ProviderSession,
  id: string,
  names: readonly MetricName[],
  message: string,
): Promise<MetricReadings> {
  const [only] = names;
  if (names.length <= 1 && only !== undefined) return { ...EMPTY, [only]: NOT_OFFERED };
  const named = names.filter((name) => message.includes(INSIGHT_NAMES[name]));
  const others = names.filter((name) => !named.includes(name));
  const groups = named.length > 0 && others.length > 0 ? [named, others] : names.map((name) => [name]);
  const readings: Partial<Record<MetricName, Reading>> = {};
  for (const group of groups) {
    const read = await readInsights(session, id, group);
    for (const name of group) readings[name] = read[name];
  }
  return { ...EMPTY, ...readings };
}

/** What a refusal means for the numbers; null when it concerns the call or is ambiguous. */
function readingOfRefusal(error: GraphError, { kind }: ProviderError): Reading | null {
  if (isPostedBeforeProfessional(error)) return NOT_OFFERED;
  if (isMissingObject(error)) return UNKNOWN;
  // Code 10 is sent for a missing permission and for "too few viewers"; only the message differs.
  if (error.code === 10 && /viewers/i.test(error.message)) return UNKNOWN;
  return kind === "scope_missing" ? METRIC_NOT_GRANTED : null;
}

const UNKNOWN: Reading = reading(null, null);
const EMPTY: MetricReadings = { VIEWS: UNKNOWN, LIKES: UNKNOWN, COMMENTS: UNKNOWN, SHARES: UNKNOWN };

/**
 * The provider sends an empty set while it has no numbers, which does not mean zero. A non-empty set omits what the
 * account's type lacks; likes and comments are also omitted when the owner hides them.
 */
function readingsOf(answer: HttpAnswer): MetricReadings {
  const { data } = insightsWire.parse(answer.body);
  const entries = METRICS.map((name): [MetricName, Reading] => {
    const field = INSIGHT_NAMES[name];
    const insight = data.find((entry) => entry.name === field);
    const isLacking = insight === undefined && data.length > 0;
    if (isLacking && (name === "VIEWS" || name === "SHARES")) return [name, NOT_OFFERED];
    const total = insight?.total_value.value ?? null;
    if (total !== null) return [name, reading(total, `insights.${field}.total_value.value`)];
    return [name, reading(insight?.values[0]?.value ?? null, `insights.${field}.values[0].value`)];
  });
  return Object.fromEntries(entries) as MetricReadings;
}

/** The provider omits a post's own count when the owner hides it. */
function withCount(insight: Reading, media: MediaWire, sourceField: "like_count" | "comments_count"): Reading {
  const count = media[sourceField];
  if (insight.availability === "AVAILABLE") return insight;
  if (count !== null) return reading(count, sourceField);
  const reason = media.refused?.includes(sourceField) ? "METRIC_NOT_GIVEN" : "METRIC_HIDDEN";
  return insight.availability === "UNAVAILABLE" ? reading(null, sourceField, reason) : insight;
}
