import { CONTENT_COLUMNS } from "./contentColumns.ts";

/** The columns of a stored post by their names in the API. A new field of a post needs one line here, or none if providers give it. */
const POST_COLUMNS: Readonly<Record<string, string>> = {
  id: "p.id",
  providerContentId: "p.provider_content_id",
  kind: "p.kind",
  availability: "p.availability",
  reason: "p.reason",
  observedAt: "p.observed_at",
  ...Object.fromEntries(CONTENT_COLUMNS.map(({ field, column }) => [field, `p.${column}`])),
  metrics: "p.metrics",
  metricsObservedAt: "p.metrics_observed_at",
};

/** The columns of a post of `content_item p`, by which PostgreSQL writes it as JSON. */
export const POST = Object.entries(POST_COLUMNS)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(", ");
