import type { SocialProvider } from "@social-connect/contract";
import { eventually } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import * as calls from "../../modules/testing/calls.ts";
import { postsOf } from "../../modules/testing/connections.ts";
import { type RealTimeService, startRealTimeService } from "../../worker/testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "../../worker/worker.ts";
import { startTold } from "../testing/processes.ts";
import type { WorkerProcessOptions } from "../testing/workerProcess.ts";

/** The lock that blocks a statement at its fault point, while the test holds it. */
const HELD = 4_242;

let real: RealTimeService;
let healthy: RunningWorker | undefined;
let release = async (): Promise<void> => undefined;
const processes = new AsyncDisposableStack();

/** A worker that is killed at every step of its work, and a worker that is frozen. Hooks and tests of a suite. */
export function killedWorker(): void {
  beforeAll(async () => {
    real = await startRealTimeService();
  });
  afterAll(async () => {
    await release();
    await healthy?.stop();
    await processes.disposeAsync();
    await real?.service.close();
  });

  test("the job of a killed or frozen worker is taken over, each effect happens once, and the frozen worker writes nothing", async () => {
    const { service } = real;
    release = await layFaultPoints();

    // Frozen in the middle of a scan, while there is no other job to claim.
    const frozen = startWorkerProcess({
      mark: "frozen",
      concurrency: { read: 1, settle: 0 },
      holds: ["PROVIDER_B.listContent"],
    });
    await frozen.tells("ready");
    const stopped = await connect("stopped", "PROVIDER_B");
    const stoppedScan = await refresh(stopped);
    await frozen.tells("held PROVIDER_B.listContent");
    frozen.child.kill("SIGSTOP");

    const holds = ["PROVIDER_A.listContent", "PROVIDER_B.listContent", "PROVIDER_B.revoke"];
    const killed = startWorkerProcess({ mark: "killed", concurrency: { read: 4, settle: 5 }, holds });
    await killed.tells("ready");
    const reading = await connect("reading");
    const scans = [await refresh(reading)];
    await killed.tells("held PROVIDER_A.listContent");

    const writing = await connect("writing", "PROVIDER_C", "scan written");
    scans.push(await refresh(writing));
    const revoking = await leave(await connect("revoking", "PROVIDER_B"));
    await killed.tells("held PROVIDER_B.revoke");
    const settling = await leave(await connect("settling", "PROVIDER_A", "revoke settled"));
    const beginning = await leave(await connect("beginning", "PROVIDER_C", "erasure begun"));
    const midway = await leave(await connect("midway", "PROVIDER_C", "content deleted"));
    const ending = await leave(await connect("ending", "PROVIDER_C", "connection deleted"));
    await eventually(async () => expect(await waitingAtFaultPoints()).toBe(5));

    killed.child.kill("SIGKILL");
    await killed.untilEnded();
    // PostgreSQL ends the statements of a closed connection, and with them what they have written.
    await eventually(async () => expect(await waitingAtFaultPoints()).toBe(0));
    await release();
    const posts = postsOf(25, await service.clock.now());
    for (const fake of Object.values(service.fakes)) fake.posts = posts;
    healthy = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });

    const receipts = [revoking, settling, beginning, midway, ending];
    await eventually(async () => {
      for (const id of [...scans, stoppedScan]) expect(await job(id)).toMatchObject({ status: "SUCCEEDED" });
      for (const { eraseJobId } of receipts) expect(await job(eraseJobId)).toMatchObject({ status: "SUCCEEDED" });
    });

    for (const { id } of [reading, stopped, writing]) expect(await titles(id)).toEqual(posts.map(({ title }) => title));
    expect(await job(scans[1] ?? "")).toMatchObject({ attempt: 2, itemsObserved: posts.length });
    for (const { revokeJobId } of [revoking, settling])
      expect(await job(revokeJobId)).toMatchObject({ status: "SUCCEEDED" });
    const counts = await Promise.all(receipts.map(async ({ eraseJobId }) => (await job(eraseJobId)).deletedCounts));
    // 600 posts are deleted by two transactions, the second of which was interrupted.
    expect(counts).toEqual(
      [0, 0, 0, 600, 0].map((posts) => expect.objectContaining({ content_item: posts, connection: 1 })),
    );
    expect(await service.prisma.revokeSettlement.count()).toBe(0);
    expect(await service.prisma.connection.count()).toBe(3);
    expect(await service.prisma.grant.count()).toBe(3);

    const superseding = await job(stoppedScan);
    expect(superseding.attempt).toBeGreaterThan(1);
    frozen.child.kill("SIGCONT");
    frozen.child.send("continue");
    await frozen.tells("superseded");
    expect(await titles(stopped.id)).toEqual(posts.map(({ title }) => title));
    expect(await job(stoppedScan)).toEqual(superseding);
  });
}

function startWorkerProcess(options: Pick<WorkerProcessOptions, "concurrency" | "holds" | "mark">) {
  const { databaseUrl, secretKey } = real;
  const given: WorkerProcessOptions = { ...options, databaseUrl, secretKey };
  return startTold(processes, "./workerProcess.ts", { WORKER_PROCESS: JSON.stringify(given) });
}

/** A connection; with a step, the statement of that step waits in the database with its transaction open. */
async function connect(name: string, provider: SocialProvider = "PROVIDER_A", step?: string): Promise<Connection> {
  const { service } = real;
  const connection = await real.connect({ provider, accountId: name, externalSubjectId: name });
  if (step !== undefined) await service.pool.query("INSERT INTO fault_point VALUES ($1, $2)", [connection.id, step]);
  if (step === "content deleted") {
    await service.pool.query(
      `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, availability, observed_at, metrics)
       SELECT gen_random_uuid(), $1, $2, 'post-' || n, 'VIDEO', 'AVAILABLE', now(), '[]' FROM generate_series(1, 600) n`,
      [connection.applicationId, connection.id],
    );
  }
  return connection;
}

async function layFaultPoints(): Promise<() => Promise<void>> {
  const { pool } = real.service;
  await pool.query("CREATE TABLE fault_point (connection_id uuid, step text)");
  await pool.query(`
    CREATE FUNCTION hold_at_fault_point() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE connection uuid := coalesce(to_jsonb(OLD) ->> 'connection_id', to_jsonb(OLD) ->> 'id')::uuid;
    BEGIN
      IF EXISTS (SELECT 1 FROM fault_point WHERE connection_id = connection AND step = TG_ARGV[0]) THEN
        PERFORM pg_advisory_xact_lock(${HELD});
      END IF;
      RETURN coalesce(NEW, OLD);
    END $$`);
  const points = [
    ["scan written", "UPDATE ON job", "NEW.kind = 'SCAN' AND NEW.status = 'SUCCEEDED'"],
    ["revoke settled", "UPDATE ON job", "NEW.kind = 'REVOKE' AND NEW.status = 'SUCCEEDED'"],
    ["erasure begun", "UPDATE ON connection", "NEW.status = 'DELETING'"],
    // In the second of two batches.
    ["content deleted", "DELETE ON content_item", "OLD.provider_content_id = 'post-550'"],
    ["connection deleted", "DELETE ON connection", "true"],
  ] as const;
  for (const [step, event, condition] of points) {
    await pool.query(
      `CREATE TRIGGER "at ${step}" BEFORE ${event} FOR EACH ROW WHEN (${condition})
       EXECUTE FUNCTION hold_at_fault_point('${step}')`,
    );
  }
  const holder = await pool.connect();
  await holder.query("SELECT pg_advisory_lock($1)", [HELD]);
  let isHeld = true;
  return async () => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query("DELETE FROM fault_point");
    await holder.query("SELECT pg_advisory_unlock($1)", [HELD]);
    holder.release();
  };
}

async function waitingAtFaultPoints(): Promise<number> {
  const { rowCount } = await real.service.pool.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [HELD],
  );
  return rowCount ?? 0;
}

async function refresh(connection: Connection): Promise<string> {
  return (await calls.refresh(real.service, real.application, connection)).id;
}

function leave(connection: Connection) {
  return calls.disconnect(real.service, real.application, connection);
}

function job(id: string) {
  return real.service.prisma.job.findFirstOrThrow({ where: { id } });
}

async function titles(connectionId: string): Promise<(string | null)[]> {
  const newestFirst = { where: { connectionId }, orderBy: { publishedAt: "desc" } } as const;
  const rows = await real.service.prisma.contentItem.findMany(newestFirst);
  return rows.map(({ title }) => title);
}
