import { METRIC_NAMES } from "@social-connect/contract";
import type { PostParts } from "./postColumns.ts";
import { METRIC_COLUMNS, postColumns } from "./postColumns.ts";
import type { ContentJson } from "./store.ts";

type Value = string | null | readonly (string | null)[];

const NAMES: ReadonlySet<string | null> = new Set(METRIC_NAMES);

/** Reads a JSON array of posts, each an array of the values of `postColumns`. */
export function readPosts(json: string, parts: PostParts): ContentJson[] {
  const columns = postColumns(parts).map(({ name }) => name);
  return (JSON.parse(json) as readonly Value[][]).map((values) => namedPost(columns, values));
}

function namedPost(columns: readonly (keyof ContentJson)[], values: readonly Value[]): ContentJson {
  const post = Object.fromEntries(columns.map((name, index) => [name, values[index]])) as unknown as ContentJson;
  // The values of a metric with a missing key would be taken for those of other fields.
  const { metrics = [] } = post;
  const names = metrics.filter((_, index) => index % METRIC_COLUMNS.length === 0);
  const areComplete = metrics.length === names.length * METRIC_COLUMNS.length && names.every((name) => NAMES.has(name));
  if (!areComplete) throw new Error(`A metric of post ${post.id} is incomplete.`);
  return post;
}
