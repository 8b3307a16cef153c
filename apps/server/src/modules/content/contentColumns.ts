import type { Availability, Capability, ContentKind, SocialProvider } from "@social-connect/contract";
import {
  CONTENT_FIELDS,
  type ContentFields,
  contentItemAsRead,
  EXPIRED_CONTENT,
  type StoredMetric,
} from "@social-connect/domain";
import { getDatamodel } from "../../_generated/pothosPrismaTypes.ts";

export interface ContentColumn {
  readonly field: keyof ContentFields;
  readonly column: string;
  /** The type in PostgreSQL, of an element if it is a list. */
  readonly type: string;
  readonly isList: boolean;
}

/** PostgreSQL's types by those of schema.prisma. */
const TYPES: Readonly<Record<string, string>> = {
  String: "text",
  DateTime: "timestamptz",
  Int: "integer",
  Float: "double precision",
  Boolean: "boolean",
};

const MODEL = new Map(getDatamodel().datamodel.models["ContentItem"]?.fields.map((field) => [field.name, field]));

/** The columns of `content_item` with the fields that a provider gives. Writing, reading and expiry all use this list. */
export const CONTENT_COLUMNS: readonly ContentColumn[] = CONTENT_FIELDS.map((field) => {
  const { type: name = "", kind = "", isList = false } = MODEL.get(field) ?? {};
  const type = kind === "enum" ? snakeCase(name) : TYPES[name];
  if (type === undefined) throw new Error(`The type of the column of ${field} is unknown.`);
  return { field, column: snakeCase(field), type, isList };
});

function snakeCase(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
}

/**
 * `observed_at` is in no index, because every observation changes it. Indexes have `observed_since` instead: a time not after
 * `observed_at`, which only inserts and the sweep `expireContent` write. An expired post has the time of its observation
 * there, for its observation is its last. These are the conditions of the two indexes of a connection, and must equal theirs.
 */
export const CONTENT_IS_EXPIRED = `reason = '${EXPIRED_CONTENT.reason}'`;
export const CONTENT_IS_OPEN = `reason IS DISTINCT FROM '${EXPIRED_CONTENT.reason}'`;

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

/** A stored post as JSON from PostgreSQL: the columns of POST. Times are ISO 8601 strings. */
export interface PostJson extends Omit<ContentFields, "publishedAt"> {
  readonly id: string;
  readonly providerContentId: string;
  readonly kind: ContentKind;
  readonly availability: Availability;
  readonly reason: string | null;
  readonly observedAt: string;
  readonly publishedAt: string | null;
  readonly metrics: readonly StoredMetric[];
  /** null if it is that of the post. */
  readonly metricsObservedAt: string | null;
}

/** A post as the API returns it. */
export type ContentItemShown = ReturnType<typeof showContentItem>;

/** Shows a post of a connection, of whose capabilities `served` can be used. */
export function showContentItem(post: PostJson, provider: SocialProvider, served: readonly Capability[], now: Date) {
  const observedAt = new Date(post.observedAt);
  const measuredAt = post.metricsObservedAt === null ? observedAt : new Date(post.metricsObservedAt);
  return contentItemAsRead({ ...post, provider, observedAt }, measuredAt, now, served);
}
