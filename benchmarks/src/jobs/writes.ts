import type { Connection, Job } from "../../../apps/server/src/_generated/prisma/client.ts";
import { createReadJobs } from "../../../apps/server/src/modules/jobs/readJobs.ts";
import { recordRead } from "../../../apps/server/src/modules/jobs/recordRead.ts";
import type { Service } from "../../../apps/server/src/modules/service.ts";
import { postsOf } from "../../../apps/server/src/modules/testing/connections.ts";
import { claimJob } from "../../../apps/server/src/modules/testing/tasks.ts";
import { LIMITS } from "../../../packages/contract/src/index.ts";
import { resolveSyncWindow } from "../../../packages/domain/src/index.ts";
import { median } from "../results/median.ts";
import type { Applications } from "./jobService.ts";

const ROUNDS = 30;
/** The slots of a worker. */
const WRITERS = 4;

/**
 * Writes the results of scans, and the same rows with one bare statement each, in turns. Four connections at a time, as a
 * worker does. Both update existing posts.
 */
export async function compareWrites(service: Service, applications: Applications) {
  const posts = postsOf(LIMITS.scanMaxItems, await service.clock.now());
  const pairs = await Promise.all(
    Array.from({ length: WRITERS }, async () => ({
      scanned: await applications.connect("writer"),
      bare: await applications.connect("writer"),
    })),
  );
  const scanMs: number[] = [];
  const bareMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = await service.clock.now();
    const observed = posts.map((item) => ({ item, observedAt: now }));
    const result = { outcome: "succeeded", scan: { incompleteReason: null, limit: null }, observed } as const;
    const jobs = await Promise.all(pairs.map(({ scanned }) => claimScan(service, scanned, now)));
    scanMs.push(await timed(() => Promise.all(jobs.map((job) => recordRead(service, job, result)))));
    const upserts = await Promise.all(pairs.map(({ scanned, bare }) => bareUpsert(service, scanned.id, bare.id)));
    bareMs.push(await timed(() => Promise.all(upserts.map((upsert) => service.pool.query(upsert)))));
  }
  // The first round inserts.
  const [scan, upsert] = [median(scanMs.slice(1)), median(bareMs.slice(1))];
  const quotient = upsert / scan;
  const rate = (ms: number) => Math.round((WRITERS * posts.length * 1_000) / ms).toLocaleString("en");
  console.log(
    `scans of ${posts.length} posts write ${rate(scan)} a second, bare upserts ${rate(upsert)}: ${quotient.toFixed(2)}`,
  );
  const name = "a scan's results are written with at least 0.7 of the speed of a bare upsert";
  return { name, isMet: quotient >= 0.7 };
}

/** A scan of the connection that a worker has started. */
async function claimScan(service: Service, owner: Connection, now: Date): Promise<Job> {
  const target = { kind: "SCAN", window: resolveSyncWindow(null, now) } as const;
  const read = { target, background: true, continues: null };
  await service.prisma.$transaction((transaction) => createReadJobs(service, transaction, [{ owner, read }], now));
  const where = { connectionId: owner.id, status: "QUEUED" } as const;
  const job = await claimJob(service, (await service.prisma.job.findFirstOrThrow({ where })).id);
  if (job === null) throw new Error("The scan could not be claimed.");
  return job;
}

/** The rows of a connection as arrays of each column, for another connection. */
async function bareUpsert({ pool }: Service, from: string, to: string) {
  const { rows: columns } = await pool.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = 'content_item'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const { rows } = await pool.query<Record<string, string | null>>(
    `SELECT ${columns.map(({ name }) => `${name}::text`).join(", ")} FROM content_item WHERE connection_id = $1`,
    [from],
  );
  const { rows: known } = await pool.query<{ id: string; post: string }>(
    "SELECT id::text, provider_content_id AS post FROM content_item WHERE connection_id = $1",
    [to],
  );
  const ids = new Map(known.map(({ id, post }) => [post, id]));
  const values = columns.map(({ name }) =>
    rows.map((row) => {
      if (name === "connection_id") return to;
      if (name === "id") return ids.get(row["provider_content_id"] ?? "") ?? crypto.randomUUID();
      return row[name] ?? null;
    }),
  );
  const names = columns.map(({ name }) => name);
  const changed = names.filter(
    (name) => !["id", "application_id", "connection_id", "provider_content_id"].includes(name),
  );
  return {
    name: "bare-upsert",
    text: `INSERT INTO content_item (${names.join(", ")})
           SELECT * FROM unnest(${columns.map(({ type }, index) => `$${index + 1}::text[]::${type}[]`).join(", ")})
           ON CONFLICT (connection_id, provider_content_id, application_id)
           DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    values,
  };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}
