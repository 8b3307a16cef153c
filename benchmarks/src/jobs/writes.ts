import type { Connection } from "../../../apps/server/src/_generated/prisma/client.ts";
import { createReadJobs } from "../../../apps/server/src/modules/jobs/readJobs.ts";
import { recordRead } from "../../../apps/server/src/modules/jobs/recordRead.ts";
import type { Service } from "../../../apps/server/src/modules/service.ts";
import { postsOf } from "../../../apps/server/src/modules/testing/connections.ts";
import { claimJob } from "../../../apps/server/src/modules/testing/tasks.ts";
import { LIMITS } from "../../../packages/contract/src/index.ts";
import { resolveSyncWindow } from "../../../packages/domain/src/index.ts";
import type { Check } from "../results/checks.ts";
import { median } from "../results/median.ts";
import type { Applications } from "./jobService.ts";

const ROUNDS = 80;
/** The first round inserts, and each connection plans a statement several times before it keeps the plan. */
const WARM_UP_ROUNDS = 20;
/** The slots of a worker. */
const WRITERS = 4;

/**
 * Writes the results of scans, and the same rows with one bare statement each, in turns. Four connections at a time, as a
 * worker does. Both update existing posts, and neither waits for the disk, which would take both as long. The
 * values of the bare statement are prepared before its time is measured, and those of the scan are not.
 */
export async function compareWrites(service: Service, applications: Applications): Promise<Check> {
  const posts = postsOf(LIMITS.scanMaxItems, await service.clock.now());
  const pairs: { readonly scanned: Connection; readonly bare: Connection }[] = [];
  // One after another: the first one creates the application.
  for (let writer = 0; writer < WRITERS; writer += 1)
    pairs.push({ scanned: await applications.connect("writer"), bare: await applications.connect("writer") });
  const scans: Cost[] = [];
  const upserts: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = await service.clock.now();
    const observed = posts.map((item) => ({ item, observedAt: now }));
    const result = { outcome: "succeeded", scan: { incompleteReason: null, limit: null }, observed } as const;
    const started = await Promise.all(pairs.map(({ scanned }) => startScan(service, scanned, now)));
    scans.push(
      await costOf(() =>
        Promise.all(started.map(({ job, connection }) => recordRead(service, job, connection, result))),
      ),
    );
    const bare = await Promise.all(pairs.map(({ scanned, bare }) => bareUpsert(service, scanned.id, bare.id)));
    upserts.push(await costOf(() => Promise.all(bare.map((upsert) => service.pool.query(upsert)))));
  }
  const [scan, upsert] = [scans.slice(WARM_UP_ROUNDS), upserts.slice(WARM_UP_ROUNDS)];
  // The median of the rounds' quotients, so that a slow time of the machine affects one round only.
  const quotient = median(scan.map(({ ms }, round) => (upsert[round]?.ms ?? Number.NaN) / ms));
  const describe = (costs: readonly Cost[]) => {
    const perSecond = Math.round((WRITERS * posts.length * 1_000) / median(costs.map(({ ms }) => ms)));
    const cpuMs = median(costs.map(({ cpuMs }) => cpuMs)) / WRITERS;
    return `${perSecond.toLocaleString("en")} a second (${cpuMs.toFixed(2)} ms of CPU of this process for each)`;
  };
  console.log(
    `scans of ${posts.length} posts write ${describe(scan)}, bare upserts ${describe(upsert)}: ${quotient.toFixed(2)}`,
  );
  const name = "a scan's results are written with at least 0.7 of the speed of a bare upsert";
  return { name, isMet: quotient >= 0.7 };
}

interface Cost {
  readonly ms: number;
  /** CPU time of this process, without the database. */
  readonly cpuMs: number;
}

/** A scan that a worker has claimed, with the connection as the worker loads it before it calls the provider. */
async function startScan(service: Service, owner: Connection, now: Date) {
  const target = { kind: "SCAN", window: resolveSyncWindow(null, now) } as const;
  const read = { target, background: true, continues: null };
  await service.prisma.$transaction((transaction) => createReadJobs(service, transaction, [{ owner, read }], now));
  const where = { connectionId: owner.id, status: "QUEUED" } as const;
  const job = await claimJob(service, (await service.prisma.job.findFirstOrThrow({ where })).id);
  if (job === null) throw new Error("The scan could not be claimed.");
  const include = { registration: true } as const;
  const connection = await service.prisma.connection.findFirstOrThrow({ where: { id: owner.id }, include });
  const { capabilities: offeredCapabilities } = connection.registration;
  return { job, connection: { ...connection, refusals: {}, offeredCapabilities } };
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

async function costOf(run: () => Promise<unknown>): Promise<Cost> {
  const [begin, cpuBefore] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ms: performance.now() - begin, cpuMs: (user + system) / 1_000 };
}
