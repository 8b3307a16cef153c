import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, Prisma } from "../../_generated/prisma/client.ts";
import type { RowKey } from "../rowKey.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { createConnection, postsOf } from "../testing/connections.ts";
import { startTestService, type TestService } from "../testing/testService.ts";
import { upsertContent } from "./store.ts";

const [ACCOUNTS, POSTS, ROUNDS] = [5, 100, 2];

/** The indexes of the first version, which contained the time of each observation. */
const FIRST_DESIGN = `
  DROP INDEX content_item_open_observed_since_idx, content_item_open_connection_id_observed_since_idx,
             content_item_expired_connection_id_observed_since_idx;
  CREATE INDEX ON content_item (reason, observed_at);
  CREATE INDEX ON content_item (connection_id, observed_at);
  ALTER TABLE content_item SET (fillfactor = 100);`;

interface Environment {
  readonly service: TestService;
  readonly connections: readonly Connection[];
}

let current: Environment;
let first: Environment;

beforeAll(async () => {
  [current, first] = [await start(), await start()];
  await first.service.pool.query(FIRST_DESIGN);
  for (const environment of [current, first]) await observe(environment);
});
afterAll(() => Promise.all([current, first].map(({ service }) => service.close())));

async function start(): Promise<Environment> {
  const service = await startTestService();
  const registrations = await createRegistrations(service);
  const application = await createApplication(service);
  const connections = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, index) =>
      createConnection(service, application, registrations, {
        externalSubjectId: `user-${index}`,
        accountId: `${index}`,
      }),
    ),
  );
  return { service, connections };
}

interface Cost {
  readonly updates: number;
  readonly hotUpdates: number;
  readonly walBytes: number;
}

/** Stores the posts of every account as of the clock, an account's in one statement. */
async function observe({ service, connections }: Environment, description = "A caption."): Promise<Cost> {
  const sum = { updates: 0, hotUpdates: 0, walBytes: 0 };
  for (const connection of connections) {
    const observedAt = service.clock.current;
    const views = String(observedAt.getTime() % 1_000_000);
    const observed = postsOf(POSTS, new Date(0)).map((item) => ({
      item: { ...item, description, metrics: item.metrics.map((metric) => ({ ...metric, value: views })) },
      observedAt,
    }));
    const cost = await explain(service.pool, await statementOf(connection, observed));
    for (const name of ["updates", "hotUpdates", "walBytes"] as const) sum[name] += cost[name];
  }
  return sum;
}

async function statementOf(connection: RowKey, observed: Parameters<typeof upsertContent>[2]): Promise<Prisma.Sql> {
  let statement = Prisma.empty;
  const $executeRaw = async (strings: readonly string[], ...values: unknown[]) => {
    statement = Prisma.sql(strings, ...values);
    return 0;
  };
  await upsertContent({ $executeRaw } as never, connection, observed, true);
  return statement;
}

async function explain(pool: Pool, { text, values }: Prisma.Sql): Promise<Cost> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const before = await counts(client);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${text}`, values);
    const after = await counts(client);
    await client.query("COMMIT");
    return {
      updates: after.updates - before.updates,
      hotUpdates: after.hotUpdates - before.hotUpdates,
      walBytes: rows[0]["QUERY PLAN"][0].Plan["WAL Bytes"],
    };
  } finally {
    client.release();
  }
}

/** Counts of this session since its last report, which it sends only between transactions. */
async function counts(client: PoolClient): Promise<Pick<Cost, "updates" | "hotUpdates">> {
  const { rows } = await client.query<{ updates: string; hot: string }>(
    "SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_xact_user_tables WHERE relname = 'content_item'",
  );
  return { updates: Number(rows[0]?.updates), hotUpdates: Number(rows[0]?.hot) };
}

async function reobserve(environment: Environment): Promise<Cost> {
  const sum = { updates: 0, hotUpdates: 0, walBytes: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    // Removes old versions. Reads do so too, but only if no transaction of the server's other databases is older.
    await environment.service.pool.query("VACUUM content_item");
    environment.service.clock.advance(24 * 3_600_000);
    const cost = await observe(environment);
    for (const name of ["updates", "hotUpdates", "walBytes"] as const) sum[name] += cost[name];
  }
  return sum;
}

test("an observation that changes metrics and time changes no index, and writes half of the first version's log", async () => {
  const [now, before] = [await reobserve(current), await reobserve(first)];
  expect([now.updates, before.updates]).toEqual([ACCOUNTS * POSTS * ROUNDS, ACCOUNTS * POSTS * ROUNDS]);
  expect(now.hotUpdates / now.updates).toBeGreaterThanOrEqual(0.9);
  expect(now.walBytes).toBeLessThanOrEqual(before.walBytes / 2);
  // Control: the first version's indexes changed with each observation.
  expect(before.hotUpdates / before.updates).toBeLessThan(0.1);
});

test("a long description that did not change is not written again", async () => {
  const { service } = current;
  // Random, so that compression does not fit it into the row.
  const description = Array.from({ length: 400 }, (_, index) => Math.sin(index).toString(36)).join("");
  service.clock.advance(1_000);
  await observe(current, description);
  service.clock.advance(1_000);
  const same = await observe(current, description);
  service.clock.advance(1_000);
  const changed = await observe(current, `${description}!`);
  expect(changed.walBytes - same.walBytes).toBeGreaterThan(same.updates * 2_000);
  const { rows } = await service.pool.query("SELECT DISTINCT description FROM content_item");
  expect(rows).toEqual([{ description: `${description}!` }]);
});
