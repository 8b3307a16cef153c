import { beforeAll, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { query, server, useServer } from "../../http/testing/testServer.ts";
import { application, connect, service } from "../../modules/testing/fixtures.ts";
import { createPost } from "../../modules/testing/rows.ts";

useServer();

/** The memory of one database connection, for the reads of one key. */
const MOST_BYTES = 20_000_000;
const SIZES = 50;
const SELECTIONS = ["id", "id title publishedAt", "id metrics { name value }", "__typename id kind url: canonicalUrl"];
let connection: Connection;

beforeAll(async () => {
  connection = await connect();
  for (let number = 0; number <= SIZES + 1; number += 1)
    await createPost(service, connection, {
      providerContentId: `post-${number}`,
      publishedAt: service.clock.fromNow(-60_000 * (number + 1)),
    });
});

/** The memory of the connection that answered the reads before: sequential reads share one. */
async function memory(): Promise<{ readonly pid: number; readonly bytes: number; readonly statements: number }> {
  const [row] = await service.hotReads.query<{ pid: number; bytes: number; statements: number }>({
    name: "memory",
    text: `SELECT pg_backend_pid() AS pid, (SELECT count(*)::int FROM pg_prepared_statements) AS statements,
                  (SELECT sum(total_bytes)::int FROM pg_backend_memory_contexts) AS bytes`,
    values: [],
  });
  return row as { pid: number; bytes: number; statements: number };
}

async function readPosts(selection: string, first: number, after: string | null): Promise<string> {
  const { tenantKey, externalSubjectId, id } = connection;
  const text = `query ($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) {
    content(scope: $scope, connectionId: $id, window: $window) { items { ${selection} } pageInfo { endCursor } } }`;
  const window = {
    publishedAfter: service.clock.fromNow(-86_400_000),
    publishedBefore: service.clock.current,
    first,
    after,
  };
  const { data, errors } = await query(server, application.key, text, {
    scope: { tenantKey, externalSubjectId },
    id,
    window,
  });
  expect(errors).toEqual([]);
  expect(data.content.items).toHaveLength(first);
  return data.content.pageInfo.endCursor;
}

async function listConnections(first: number, after: string | null): Promise<void> {
  const { tenantKey, externalSubjectId } = connection;
  const text = `query ($scope: SubjectScope!, $first: Int, $after: String) {
    connections(scope: $scope, first: $first, after: $after) { items { id } } }`;
  const { errors } = await query(server, application.key, text, {
    scope: { tenantKey, externalSubjectId },
    first,
    after,
  });
  expect(errors).toEqual([]);
}

test("all page sizes, positions and selections of one key hold a bounded part of a database connection", async () => {
  await readPosts("id", 1, null);
  const before = await memory();
  let calls = 0;
  for (let first = 1; first <= SIZES; first += 1) {
    await listConnections(first, null);
    await listConnections(2 * first, null);
    calls += 2;
    for (const selection of SELECTIONS) {
      const cursor = await readPosts(selection, first, null);
      // The second page, if there are enough posts.
      if (2 * first <= SIZES) await readPosts(selection, first, cursor);
      calls += 2 * first <= SIZES ? 2 : 1;
    }
  }
  const after = await memory();
  console.info(
    `${calls} calls: ${after.statements} prepared statements, ${after.bytes} bytes, of which ${before.bytes} before`,
  );
  expect(after.pid).toBe(before.pid);
  expect(after.bytes).toBeLessThan(MOST_BYTES);
  // One for posts, one for connections, and a few of other reads.
  expect(after.statements).toBeLessThanOrEqual(10);
});
