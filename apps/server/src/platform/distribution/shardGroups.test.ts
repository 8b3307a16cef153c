import { expect, test } from "vitest";
import { groupByShard, ownedBy } from "./shardGroups.ts";

/** Answers the question for the extension, then the question for the shards. */
function database(shards: Readonly<Record<string, bigint>> | null) {
  const answers: unknown[] = [
    [{ exists: shards !== null }],
    Object.entries(shards ?? {}).map(([id, shard]) => ({ id, shard })),
  ];
  return { $queryRaw: async () => answers.shift() } as unknown as Parameters<typeof groupByShard>[0];
}

const rows = ["a", "b", "a", "c"].map((applicationId, id) => ({ applicationId, id }));

test("a database without Citus is one group", async () => {
  expect(await groupByShard(database(null), rows)).toEqual([{ applicationIds: ["a", "b", "c"], rows }]);
});

test("groups the rows of applications on the same shard", async () => {
  const [first, second, third, fourth] = rows;
  expect(await groupByShard(database({ a: 1n, b: 2n, c: 1n }), rows)).toEqual([
    { applicationIds: ["a", "c"], rows: [first, third, fourth] },
    { applicationIds: ["b"], rows: [second] },
  ]);
});

test("rows of one application need no question", async () => {
  const refuses = { $queryRaw: () => Promise.reject(new Error("a question")) } as never;
  const [first, , third] = rows;
  const own = [first, third].filter((row) => row !== undefined);
  expect(await groupByShard(refuses, own)).toEqual([{ applicationIds: ["a"], rows: own }]);
  expect(await groupByShard(refuses, [])).toEqual([]);
});

test("the condition of a group names its applications", () => {
  expect(ownedBy({ applicationIds: ["a", "c"] })).toMatchObject({
    text: "application_id = ANY($1::uuid[])",
    values: [["a", "c"]],
  });
});
