import type { ContentFields } from "@social-connect/domain";
import { CONTENT_COLUMNS } from "./contentColumns.ts";
import type { ContentJson } from "./store.ts";

/**
 * Parts of a post that a page contains only if the caller requested them: each column of 50 posts takes 17 µs of the
 * database, and metrics take 100.
 */
export interface PostParts {
  /** Otherwise `thumbnailUrl`, `description` and `reason` are absent. */
  readonly withDetails: boolean;
  /** Otherwise `availability` and the times of observations are absent. */
  readonly withObservation: boolean;
  /** Otherwise there are no metrics. */
  readonly withMetrics: boolean;
}

export const ALL_PARTS: PostParts = { withDetails: true, withObservation: true, withMetrics: true };

/** A number for each combination of parts: 0 to 7. */
export function variantOf({ withDetails, withObservation, withMetrics }: PostParts): number {
  return 4 * Number(withDetails) + 2 * Number(withObservation) + Number(withMetrics);
}

/** A column of a post as the database writes it into JSON. */
export interface PostColumn {
  readonly name: keyof ContentJson;
  /** Of `content_item p`. */
  readonly expression: string;
}

const DETAILS: ReadonlySet<keyof ContentFields> = new Set(["thumbnailUrl", "description"] as const);

/** The columns of a stored metric in the order in which `jsonb` stores keys: by length, then by bytes. */
export const METRIC_COLUMNS = ["name", "value", "reason", "sourceField", "availability"] as const;

/**
 * The values of all metrics of a post in one array, without their keys: half the text, for which the database takes two thirds
 * of the time and this process half.
 */
const METRICS = "jsonb_path_query_array(p.metrics, '$[*].*')";

/** $8 is the oldest observation that is shown. A time takes six times as long as null to become text. */
const EXPIRED_METRICS = "CASE WHEN p.metrics_observed_at < $8 THEN p.metrics_observed_at END";

/** The columns of a post with these parts. A post is the array of their values, which takes less time than an object. */
export function postColumns({ withDetails, withObservation, withMetrics }: PostParts): readonly PostColumn[] {
  const content = CONTENT_COLUMNS.filter(({ field }) => withDetails || !DETAILS.has(field));
  return [
    { name: "id", expression: "p.id" },
    { name: "providerContentId", expression: "p.provider_content_id" },
    { name: "kind", expression: "p.kind" },
    ...when(withObservation, [
      { name: "availability", expression: "p.availability" },
      { name: "observedAt", expression: "p.observed_at" },
    ]),
    ...content.map(({ field, column }) => ({ name: field, expression: `p.${column}` })),
    ...when(withDetails, [{ name: "reason", expression: "p.reason" }]),
    ...when(withMetrics, [
      { name: "metrics", expression: METRICS },
      { name: "metricsObservedAt", expression: withObservation ? "p.metrics_observed_at" : EXPIRED_METRICS },
    ]),
  ];
}

function when(isIncluded: boolean, columns: readonly PostColumn[]): readonly PostColumn[] {
  return isIncluded ? columns : [];
}
