import { leastCpuMs } from "@social-connect/testkit";
import { describe, expect, test } from "vitest";
import { postColumns } from "./postColumns.ts";
import { writePosts } from "./writtenPosts.ts";

const PAGE = {
  first: 50,
  parts: { withDetails: false, withObservation: false, withMetrics: false },
  provider: "PROVIDER_A",
  showsMetrics: false,
  oldestServed: new Date(0),
} as const;
const FORM = { post: [{ key: "name", name: "title" }], metric: [] };

/** A page of one post, as PostgreSQL writes it. */
function pageWith(title: string): string {
  return `[["id-1", "post-1", "VIDEO", null, ${title}, "2026-03-01T12:00:00.5+00:00"]]`;
}

test("a post is written with its keys, and the cursor gets its id and time", () => {
  expect(writePosts(pageWith('"A \\"title\\""'), FORM, PAGE)).toEqual({
    json: '[{"name":"A \\"title\\""}]',
    last: { id: "id-1", publishedAt: "2026-03-01T12:00:00.5+00:00" },
    hasMore: false,
  });
});

test("metrics are written without spaces, like the rest of a response", () => {
  const [views, likes] = [
    '"VIEWS", "12", null, "viewCount", "AVAILABLE"',
    '"LIKES", null, "METRIC_HIDDEN", null, "UNAVAILABLE"',
  ];
  const parts = { ...PAGE.parts, withMetrics: true };
  const columns = postColumns(parts).map(({ name }) => (name === "metrics" ? `[${views}, ${likes}]` : "null"));
  const post = `[${columns.join(", ")}]`;
  const metric = ["name", "value", "reason"].map((name) => ({ key: name, name }));
  const form = { post: [{ key: "metrics", name: "metrics" }], metric };
  expect(writePosts(`[${post}, ${post}]`, form, { ...PAGE, first: 1, parts, showsMetrics: true })?.json).toBe(
    '[{"metrics":[{"name":"VIEWS","value":"12","reason":null},{"name":"LIKES","value":null,"reason":"METRIC_HIDDEN"}]}]',
  );
});

describe("a megabyte of hostile text takes less than 100 ms", () => {
  const BOUND_MS = 100;
  const MEBIBYTE = 2 ** 20;

  test.each(["\\\\", '\\"', '\\", ', "[", "null, ", "\\n", "a"])("%j, also if it does not end", (unit) => {
    const text = unit.repeat(MEBIBYTE / unit.length);
    const whole = pageWith(`"${text}"`);
    const open = pageWith(`"${text}`).replaceAll(/"2026.*$/g, "");
    expect(leastCpuMs(() => void writePosts(whole, FORM, PAGE), BOUND_MS)).toBeLessThan(BOUND_MS);
    expect(leastCpuMs(() => void writePosts(open, FORM, PAGE), BOUND_MS)).toBeLessThan(BOUND_MS);
    expect(writePosts(whole, FORM, PAGE)?.json).toBe(`[{"name":"${text}"}]`);
    expect(writePosts(open, FORM, PAGE)).toBeNull();
  });
});
