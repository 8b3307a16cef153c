import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { application, connect, server, service } from "../../http/testing/serverOfFile.ts";
import { query } from "../../http/testing/testServer.ts";
import { createPost } from "../../modules/testing/rows.ts";
import { insertList } from "./writtenList.ts";

const DAY_MS = 86_400_000;
/** Strings that resemble the JSON around them. */
const TEXTS = [
  null,
  "",
  'A "quoted" title',
  "Ends with a backslash \\",
  '\\", "VIEWS", "1", null, null, "AVAILABLE"',
  '], ["items":[], {"items":[]}',
  "Line one\nline two\ttab \u0001 \u2028",
  "日本語 👩‍👩‍👧 ß",
  "$1 $& $` $'",
];
const METRICS = [
  { name: "VIEWS", value: "0", availability: "AVAILABLE", reason: null, sourceField: 'statistics["views, all"]' },
  { name: "LIKES", value: "12345678901234567890", availability: "AVAILABLE", reason: null, sourceField: null },
  { name: "COMMENTS", value: null, availability: "UNAVAILABLE", reason: "METRIC_HIDDEN", sourceField: "$2" },
  { name: "SHARES", value: null, availability: "UNAVAILABLE", reason: "METRIC_NOT_GIVEN", sourceField: "\\" },
];
const WITHOUT_REASON = { name: "LIKES", value: null, availability: "UNAVAILABLE", reason: null, sourceField: null };

interface Posts {
  readonly metrics: readonly object[];
  readonly metricsAgeMs?: number;
}

async function connectionWith(subject: string, posts: readonly Posts[], capabilities?: Connection["capabilities"]) {
  const connection = await connect({ externalSubjectId: subject, ...(capabilities && { capabilities }) });
  for (const [index, { metrics, metricsAgeMs }] of posts.entries()) {
    const title = TEXTS[index % TEXTS.length] ?? null;
    await createPost(service, connection, {
      providerContentId: `post-${index} ${title ?? ""}`,
      title,
      description: TEXTS[(index + 3) % TEXTS.length] ?? null,
      // Without a fraction, with one digit, two and three.
      publishedAt: new Date(
        Math.floor(service.clock.fromNow(-index * 3_600_000).getTime() / 1000) * 1000 - 10 ** (index % 4),
      ),
      metrics: [...metrics],
      ...(metricsAgeMs !== undefined && { metricsObservedAt: service.clock.fromNow(-metricsAgeMs) }),
    });
  }
  return connection;
}

const ordinary = Array.from({ length: 20 }, (_, index) => ({
  metrics: METRICS.slice(0, index % 5),
  ...(index % 3 === 0 && { metricsAgeMs: 1_000 * index }),
}));
const CONNECTIONS = {
  "ordinary posts": () => connectionWith("ordinary", ordinary),
  "no posts": () => connectionWith("none", []),
  "expired metrics": () =>
    connectionWith("expired", [...ordinary, { metrics: METRICS, metricsAgeMs: 30 * DAY_MS + 1 }]),
  "a metric without a reason": () => connectionWith("reasonless", [...ordinary, { metrics: [WITHOUT_REASON] }]),
  "a connection without metrics": () => connectionWith("list", ordinary, ["CONTENT_LIST"]),
};
const connections = new Map<string, Connection>();

beforeAll(async () => {
  for (const [name, make] of Object.entries(CONNECTIONS)) connections.set(name, await make());
});

async function read(name: string, items: string, first: number, after: string | null = null) {
  const connection = connections.get(name);
  const { tenantKey, externalSubjectId, id } = connection as Connection;
  const { clock } = service;
  const window = { publishedAfter: clock.fromNow(-60 * DAY_MS), publishedBefore: clock.current, first, after };
  const text = `query($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) {
    content(scope: $scope, connectionId: $id, window: $window) { ${items} pageInfo { hasNextPage endCursor } } }
    fragment metricFields on MetricObservation { value reason }`;
  const document = items.includes("...metricFields") ? text : text.replace(/fragment[^}]*\}/, "");
  const variables = { scope: { tenantKey, externalSubjectId }, id, window };
  const { data, errors } = await query(server, application.key, document, variables);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const { pageInfo, ...page } = (data as { content: { pageInfo: { hasNextPage: boolean; endCursor: string | null } } })
    .content;
  return { ...pageInfo, text: JSON.stringify(page) };
}

const METRIC_FIELDS = ["name", "value", "availability", "reason", "sourceField", "observedAt", "__typename"];
const POST_FIELDS = [
  ...["id", "providerContentId", "provider", "kind", "canonicalUrl", "thumbnailUrl", "title", "description"],
  ...["publishedAt", "availability", "reason", "observedAt", "__typename"],
];

function aliased(fields: readonly string[]) {
  const some = fc.shuffledSubarray([...fields], { minLength: 1 });
  return fc
    .tuple(some, fc.boolean())
    .map(([chosen, isAliased]) =>
      chosen.map((field, index) => (isAliased && index % 4 === 0 ? `a${index}: ${field}` : field)).join(" "),
    );
}

const metricsSelection = fc.oneof(
  fc.constant(""),
  fc.constant("numbers: metrics { name ...metricFields }"),
  aliased(METRIC_FIELDS).map((fields) => `metrics { ${fields} }`),
);
const selection = fc
  .tuple(aliased(POST_FIELDS), metricsSelection, fc.constantFrom("items", "posts: items"), fc.boolean())
  .map(([post, metrics, list, isFragment]) => ({
    list,
    fields: isFragment ? `{ ... on ContentItem { ${post} } ${metrics} }` : `{ ${post} ${metrics} }`,
  }));

describe("a page that is written directly is the page that the engine writes", () => {
  test.each(Object.keys(CONNECTIONS))("with %s", async (name) => {
    await fc.assert(
      fc.asyncProperty(selection, fc.integer({ min: 1, max: 25 }), async ({ list, fields }, first) => {
        const written = await read(name, `${list} ${fields}`, first);
        // A directive has to be executed.
        const executed = await read(name, `${list} @include(if: true) ${fields}`, first);
        expect(written.text).toBe(executed.text);
        expect(written.hasNextPage).toBe(executed.hasNextPage);
        if (!written.hasNextPage) return;
        const next = await read(name, `${list} ${fields}`, first, written.endCursor);
        expect(next.text).toBe((await read(name, `${list} ${fields}`, first, executed.endCursor)).text);
      }),
      { numRuns: 40 },
    );
  });
});

test.each([
  ["several lists", "items { id } again: items { title }"],
  ["a list in two parts", "items { id } items { title }"],
  ["metrics in two parts", "items { metrics { name } metrics { value } }"],
  ["a field twice", "items { id id title }"],
])("a page with %s is executed", async (_, items) => {
  const { text } = await read("ordinary posts", items, 3);
  const [first] = Object.values(JSON.parse(text) as Record<string, unknown[]>);
  expect(first).toHaveLength(3);
});

test("a list is inserted only where a response has it", () => {
  const written = { key: "items", json: "[1]" };
  expect(insertList('{"data":{"content":{"items":[],"n":2}}}', written)).toBe(
    '{"data":{"content":{"items":[1],"n":2}}}',
  );
  expect(insertList('{"data":null}', written)).toBe('{"data":null}');
});
