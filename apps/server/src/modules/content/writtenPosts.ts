import type { SocialProvider } from "@social-connect/contract";
import { dateOf, writtenDateTime } from "../applications/readForKey.ts";
import type { PostParts } from "./postColumns.ts";
import { postColumns, variantOf } from "./postColumns.ts";

/** A field of an object in a response: `key` is its alias or its name. */
export interface ResponseField {
  readonly key: string;
  readonly name: string;
}

/** The fields of posts and of their metrics in a response, in its order. */
export interface PostForm {
  readonly post: readonly ResponseField[];
  readonly metric: readonly ResponseField[];
}

export interface WrittenPosts {
  /** A JSON array of posts in the requested form. */
  readonly json: string;
  readonly last: { readonly id: string; readonly publishedAt: string | null } | null;
  /** Whether posts follow after these. */
  readonly hasMore: boolean;
}

interface PostPage {
  readonly first: number;
  readonly parts: PostParts;
  readonly provider: SocialProvider;
  readonly showsMetrics: boolean;
  /** Metrics that were observed earlier have expired. */
  readonly oldestServed: Date;
}

const TEXT = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const CODE = `"[A-Z_]+"`;
const COUNT = String.raw`"(?:0|[1-9]\d*)"`;
/** An unavailable metric without a reason does not match: it was stored before there were reasons. */
const METRIC = `(${CODE}), (null|${COUNT}), (?:(null), (null|${TEXT}), ("AVAILABLE")|(${CODE}), (null|${TEXT}), (${CODE}))`;
const METRICS = String.raw`\[(?:${withoutGroups(METRIC)}(?:, (?!\])|(?=\])))*\]`;
/** With the comma before the next metric. Its space is not written. */
const METRIC_IN_LIST = `${METRIC}(?:(,) )?`;
const EACH_METRIC = new RegExp(METRIC_IN_LIST, "g");

/** The groups of METRIC_IN_LIST. Those of the alternative that does not match are empty. */
const METRIC_GROUPS: Readonly<Record<string, string>> = {
  name: "$1",
  value: "$2",
  reason: "$3$6",
  sourceField: "$4$7",
  availability: "$5$8",
  __typename: '"MetricObservation"',
};
const COMMA = "$9";

/** Each metric of a post has the same. */
const METRIC_TIME = "observedAt";

/**
 * Writes a page of posts as JSON directly from the JSON of the database. To make objects of 50 posts and 200 metrics and to write
 * those took a third of the time of a page. null if a field is not from a column, or if a post is not in the ordinary form,
 * for example because its metrics have expired: then the posts have to be read.
 */
export function writePosts(posts: string, form: PostForm, page: PostPage): WrittenPosts | null {
  const { pattern, columnOf } = rowFormOf(page.parts);
  if (!canWrite(form, columnOf)) return null;
  const fields = form.post.map(({ key, name }, index) => ({
    before: `${index === 0 ? "{" : ","}"${key}":`,
    write: fieldWriter(name, columnOf, form, page),
  }));
  const metricsTime = columnOf("metricsObservedAt");
  const isServed = notBefore(page.oldestServed);
  let json = "";
  let last: RegExpExecArray | null = null;
  // The first post begins after the bracket.
  pattern.lastIndex = 1;
  for (let count = 0; count < page.first && pattern.lastIndex < posts.length - 1; count += 1) {
    last = pattern.exec(posts);
    if (last === null || (metricsTime > 0 && !isServed(last[metricsTime] ?? "null"))) return null;
    if (count > 0) json += ",";
    for (const field of fields) json += field.before + field.write(last);
    json += "}";
  }
  const hasMetrics = page.showsMetrics && form.metric.length > 0 && !hasTimes(form);
  return {
    json: `[${hasMetrics ? json.replace(EACH_METRIC, replacementOf(form, "")) : json}]`,
    last: last && {
      id: JSON.parse(last[columnOf("id")] ?? ""),
      publishedAt: JSON.parse(last[columnOf("publishedAt")] ?? ""),
    },
    hasMore: pattern.lastIndex < posts.length - 1,
  };
}

/** Fields of a post that are written from something else than their column. */
const COMPUTED: ReadonlySet<string> = new Set(["__typename", "provider"]);

function canWrite({ post, metric }: PostForm, columnOf: RowForm["columnOf"]): boolean {
  return (
    post.every(({ name }) => COMPUTED.has(name) || columnOf(name) > 0) &&
    metric.every(({ name }) => name === METRIC_TIME || name in METRIC_GROUPS)
  );
}

/** How to write a field of a post. Metrics without times are written together in the end, which takes half as long. */
function fieldWriter(
  name: string,
  columnOf: RowForm["columnOf"],
  form: PostForm,
  page: PostPage,
): (row: RegExpExecArray) => string {
  const column = columnOf(name);
  switch (name) {
    case "__typename":
      return () => '"ContentItem"';
    case "provider":
      return () => `"${page.provider}"`;
    case "publishedAt":
    case "observedAt":
      return (row) => writtenTime(row[column]);
    case "metrics": {
      if (!page.showsMetrics) return () => "[]";
      if (!hasTimes(form)) return (row) => row[column] ?? "[]";
      const [own, posts] = [columnOf("metricsObservedAt"), columnOf("observedAt")];
      return (row) => {
        const time = writtenTime(row[own] === "null" ? row[posts] : row[own]);
        return (row[column] ?? "[]").replace(EACH_METRIC, replacementOf(form, time));
      };
    }
    default:
      return (row) => row[column] ?? "null";
  }
}

function hasTimes({ metric }: PostForm): boolean {
  return metric.some(({ name }) => name === METRIC_TIME);
}

function replacementOf({ metric }: PostForm, time: string): string {
  return `{${metric.map(({ key, name }) => `"${key}":${METRIC_GROUPS[name] ?? time}`).join(",")}}${COMMA}`;
}

function writtenTime(json = "null"): string {
  return json === "null" ? json : `"${writtenDateTime(json.slice(1, -1)).text}"`;
}

/** Compares times of which most are the same as the one before: a scan observes many posts in one request. */
function notBefore(oldest: Date): (json: string) => boolean {
  let served = "null";
  return (json) => {
    if (json === served) return true;
    if (json !== "null" && dateOf(json.slice(1, -1)) < oldest) return false;
    served = json;
    return true;
  };
}

interface RowForm {
  /** Matches a post at its position, with a group for each column. */
  readonly pattern: RegExp;
  /** The number of a column's group; 0 for a column that the row does not have. */
  columnOf(name: string): number;
}

const rowForms = new Map<number, RowForm>();

function rowFormOf(parts: PostParts): RowForm {
  const variant = variantOf(parts);
  const existing = rowForms.get(variant);
  if (existing !== undefined) return existing;
  const columns = postColumns(parts).map(({ name }) => name as string);
  const groups = columns.map((name) => `(${name === "metrics" ? METRICS : `null|${TEXT}`})`);
  const form: RowForm = {
    pattern: new RegExp(String.raw`\[${groups.join(", ")}\](?:, )?`, "y"),
    columnOf: (name) => columns.indexOf(name) + 1,
  };
  rowForms.set(variant, form);
  return form;
}

function withoutGroups(pattern: string): string {
  return pattern.replaceAll(/\((?!\?)/g, "(?:");
}
