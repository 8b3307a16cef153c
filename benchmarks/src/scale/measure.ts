/**
 * The statements of the service on 10 thousand and a million posts, with `--largest` also on ten million, and what an
 * observation costs compared with the indexes of the first version. `pnpm benchmark scale [--largest] [calls]`
 *
 * Fails if a call touches more than 1.2 times the pages that it touches on 10 thousand posts, if less than 90 % of the updates
 * of an observation change no index, or if it writes more than half of the first version's log.
 */
import { randomBytes } from "node:crypto";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import type { Connection } from "../../../apps/server/src/_generated/prisma/client.ts";
import type { Service } from "../../../apps/server/src/modules/service.ts";
import { statementsOf } from "../../../apps/server/src/modules/testing/statements.ts";
import { SystemClock } from "../../../apps/server/src/platform/clock.ts";
import { openDatabase } from "../../../apps/server/src/platform/database.ts";
import { createLogger } from "../../../apps/server/src/platform/logger.ts";
import { applyMigrations } from "../../../apps/server/src/platform/migrations.ts";
import { Secret } from "../../../apps/server/src/platform/secret.ts";
import { createSecretBox } from "../../../apps/server/src/platform/secretBox.ts";
import { withTemporaryDatabase } from "../../../packages/testkit/src/harness/temporaryDatabase.ts";
import { type Call, callsOf, observationStatement } from "./calls.ts";
import { pagesTouched, type UpdateCost, updateCost } from "./explain.ts";
import { type Filled, fill, POSTS_PER_ACCOUNT } from "./fill.ts";

const SMALLEST = 10_000;
const LARGEST = 10_000_000;
/** On disk, with indexes and the log. */
const BYTES_PER_POST = 3_500;
/** Accounts whose pages are counted, and accounts that are observed for the cost of updates. */
const SAMPLES = 40;
const BOUNDS = { pages: 1.2, hotShare: 0.9, wal: 0.5 } as const;

const FIRST_DESIGN = [
  `DROP INDEX content_item_open_observed_since_idx, content_item_open_connection_id_observed_since_idx,
              content_item_expired_connection_id_observed_since_idx`,
  "CREATE INDEX content_item_reason_observed_at_idx ON content_item (reason, observed_at)",
  "CREATE INDEX content_item_connection_id_observed_at_idx ON content_item (connection_id, observed_at)",
  "ALTER TABLE content_item SET (fillfactor = 100)",
  "VACUUM FULL content_item",
  "ANALYZE content_item",
];

interface Measured {
  readonly pages: ReadonlyMap<string, number>;
  readonly update: UpdateCost;
  /** Only of the smallest size. */
  readonly firstDesign: UpdateCost | null;
}

const problems: string[] = [];

async function main(sizes: readonly number[], calls: number): Promise<void> {
  let smallest: Measured | null = null;
  for (const posts of sizes) {
    await requireSpace(posts);
    const measured: Measured = await withTemporaryDatabase(async (temporary) => {
      const url = temporary.url("postgres");
      await applyMigrations(url);
      console.log(`\n${posts.toLocaleString("en")} posts`);
      const begin = performance.now();
      const filled = await fill(url, posts, Math.max(...sizes) / POSTS_PER_ACCOUNT);
      console.log(`filled in ${Math.round((performance.now() - begin) / 1_000)} s\n`);
      return measure(url, filled, calls, smallest?.pages ?? null);
    });
    smallest ??= measured;
    check(posts, measured, smallest);
  }
  console.log(
    problems.length === 0 ? "\nevery bound is met" : `\n${problems.map((one) => `MISSED: ${one}`).join("\n")}`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

async function requireSpace(posts: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const needed = posts * BYTES_PER_POST;
  if (bavail * bsize < needed) {
    throw new Error(`${posts} posts need ${Math.ceil(needed / 1e9)} GB in ${tmpdir()}; free space or set TMPDIR.`);
  }
}

async function measure(
  url: string,
  filled: Filled,
  calls: number,
  before: ReadonlyMap<string, number> | null,
): Promise<Measured> {
  const database = openDatabase({ url, poolSize: 4, statementTimeoutMs: 600_000 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { pool, prisma, hotReads } = database;
    const parts: Partial<Service> = {
      mode: "sandbox",
      pool,
      prisma,
      hotReads,
      clock: new SystemClock(pool),
      secretBox: createSecretBox([{ id: "bench", key: new Secret(randomBytes(32).toString("base64")) }]),
      logger: createLogger({ level: "warn", role: "benchmark" }),
    };
    const service = parts as Service;
    const connectionOf = async (number: number): Promise<Connection> =>
      prisma.connection.findFirstOrThrow({
        where: { applicationId: filled.applicationId, tenantKey: "tenant", externalSubjectId: `user-${number}` },
      });
    const connections = await Promise.all(
      Array.from({ length: SAMPLES }, (_, index) =>
        connectionOf(Math.floor(((index + 0.5) * filled.accounts) / SAMPLES) + 1),
      ),
    );
    const pages = new Map<string, number>();
    console.log("| call | pages | times those of the smallest | p50 | p99 |\n| --- | --: | --: | --: | --: |");
    for (const call of await callsOf(service, filled)) {
      const touched = await meanPages(client, call, connections);
      const { p50, p99 } = await time(call, connections, calls);
      pages.set(call.name, touched);
      const times = before === null ? "" : (touched / (before.get(call.name) ?? 0)).toFixed(2);
      console.log(`| ${call.name} | ${touched.toFixed(1)} | ${times} | ${p50.toFixed(2)} ms | ${p99.toFixed(2)} ms |`);
    }
    await reportSizes(client);
    const update = await observe(client, service, connections);
    report("this design", update);
    if (before !== null) return { pages, update, firstDesign: null };
    for (const statement of FIRST_DESIGN) await client.query(statement);
    const firstDesign = await observe(client, service, connections);
    report("first version", firstDesign);
    return { pages, update, firstDesign };
  } finally {
    await client.end();
    await database.close();
  }
}

async function meanPages(
  client: pg.Client,
  { prepare, run }: Call,
  connections: readonly Connection[],
): Promise<number> {
  let sum = 0;
  for (const connection of connections) {
    await prepare?.(connection);
    sum += await pagesTouched(client, await statementsOf(() => run(connection)));
  }
  return sum / connections.length;
}

async function time(
  { prepare, run }: Call,
  connections: readonly Connection[],
  calls: number,
): Promise<{ readonly p50: number; readonly p99: number }> {
  const times: number[] = [];
  for (let index = 0; index < calls; index += 1) {
    const connection = connections[index % connections.length] as Connection;
    await prepare?.(connection);
    const begin = performance.now();
    await run(connection);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Two further observations of each account. */
async function observe(client: pg.Client, service: Service, connections: readonly Connection[]): Promise<UpdateCost> {
  const sum = { updates: 0, hotUpdates: 0, walBytes: 0 };
  for (const connection of [...connections, ...connections]) {
    const cost = await updateCost(client, await observationStatement(service, connection));
    for (const name of ["updates", "hotUpdates", "walBytes"] as const) sum[name] += cost[name];
  }
  return sum;
}

function report(name: string, { updates, hotUpdates, walBytes }: UpdateCost): void {
  const share = ((100 * hotUpdates) / updates).toFixed(1);
  console.log(
    `${name}: ${share} % of ${updates} updates change no index, ${Math.round(walBytes / updates)} bytes of log each`,
  );
}

async function reportSizes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; size: string }>(
    `SELECT c.relname AS name, pg_size_pretty(pg_relation_size(c.oid)) AS size FROM pg_class c
      WHERE c.oid = 'content_item'::regclass OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'content_item'::regclass)
      ORDER BY pg_relation_size(c.oid) DESC`,
  );
  console.log(`\n${rows.map(({ name, size }) => `${name}: ${size}`).join("\n")}\n`);
}

function check(posts: number, { pages, update }: Measured, smallest: Measured): void {
  const size = posts.toLocaleString("en");
  for (const [name, touched] of pages) {
    const times = touched / (smallest.pages.get(name) ?? 0);
    if (times > BOUNDS.pages) problems.push(`${name} touches ${times.toFixed(2)} times the pages on ${size} posts`);
  }
  const share = update.hotUpdates / update.updates;
  if (!(share >= BOUNDS.hotShare))
    problems.push(`${(100 * share).toFixed(1)} % of updates change no index on ${size} posts`);
  const first = smallest.firstDesign;
  const wal = first === null ? Number.NaN : update.walBytes / update.updates / (first.walBytes / first.updates);
  if (!(wal <= BOUNDS.wal))
    problems.push(`an observation writes ${wal.toFixed(2)} times the first version's log on ${size} posts`);
}

const { values, positionals } = parseArgs({ options: { largest: { type: "boolean" } }, allowPositionals: true });
await main([SMALLEST, 1_000_000, ...(values.largest ? [LARGEST] : [])], Number(positionals[0] ?? 400));
