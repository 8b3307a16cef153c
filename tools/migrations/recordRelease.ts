/**
 * Records what the current code reads and writes, as `release.json`: the columns of its client and the statements of its
 * use cases. Later migrations are tested against it. Part of every release; see docs/contributing/releases.md.
 *
 *     pnpm migrations:record
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import type pg from "pg";
import { authenticate } from "../../apps/server/src/modules/applications/authenticate.ts";
import { readConnectResult } from "../../apps/server/src/modules/connect/readConnectResult.ts";
import { listConnections } from "../../apps/server/src/modules/connections/listConnections.ts";
import { readConnection } from "../../apps/server/src/modules/connections/readConnection.ts";
import { readContent } from "../../apps/server/src/modules/content/readContent.ts";
import { readContentItem } from "../../apps/server/src/modules/content/readContentItem.ts";
import { RECONCILE_REVOKE_SETTLEMENTS } from "../../apps/server/src/modules/disconnect/reconcileRevokeSettlements.ts";
import { ENQUEUE_BACKGROUND_READS } from "../../apps/server/src/modules/jobs/enqueueBackgroundReads.ts";
import { requestContentLookup } from "../../apps/server/src/modules/jobs/requestContentLookup.ts";
import { EXPIRE_ATTEMPTS } from "../../apps/server/src/modules/retention/expireAttempts.ts";
import { PURGE_SWEEPS } from "../../apps/server/src/modules/retention/purge.ts";
import { createApplication, createRegistrations } from "../../apps/server/src/modules/testing/builders.ts";
import { disconnect, readJob, refresh, startConnect } from "../../apps/server/src/modules/testing/calls.ts";
import { createConnection, postsOf } from "../../apps/server/src/modules/testing/connections.ts";
import { createConnectAttempt, createPost } from "../../apps/server/src/modules/testing/rows.ts";
import { runToEnd } from "../../apps/server/src/modules/testing/runToEnd.ts";
import { statementsOf } from "../../apps/server/src/modules/testing/statements.ts";
import type { TestService } from "../../apps/server/src/modules/testing/testService.ts";
import { startTestService } from "../../apps/server/src/modules/testing/testService.ts";
import { applyMigrations, MIGRATIONS_FOLDER, SCHEMA_FILE } from "../../apps/server/src/platform/migrations.ts";
import { TASKS } from "../../apps/server/src/worker/tasks.ts";
import { DATABASE_SERVER_VARIABLE, TEMPLATE_DATABASE_VARIABLE } from "../../packages/testkit/src/index.ts";
import { withTemporaryDatabase } from "../temporaryDatabase.ts";
import type { RecordedCall, RecordedRelease } from "./release.ts";
import { RELEASE_FILE } from "./release.ts";
import { columnsOfSchema } from "./schemaColumns.ts";

const HOUR_MS = 3_600_000;
const POSTS = 20;

async function record(): Promise<RecordedRelease> {
  return withTemporaryDatabase(async (database) => {
    const url = database.url("postgres");
    await applyMigrations(url);
    process.env[DATABASE_SERVER_VARIABLE] = database.url("template1");
    process.env[TEMPLATE_DATABASE_VARIABLE] = "postgres";
    const service = await startTestService();
    try {
      const { rows, calls } = await recordCalls(service);
      const migrations = (await readdir(MIGRATIONS_FOLDER)).filter((name) => /^\d{14}_/.test(name));
      return {
        migration: migrations.toSorted().at(-1) ?? "",
        columns: columnsOfSchema(await readFile(SCHEMA_FILE, "utf8")),
        rows,
        calls,
      };
    } finally {
      await service.close();
    }
  });
}

async function recordCalls(service: TestService): Promise<Pick<RecordedRelease, "rows" | "calls">> {
  const registrations = await createRegistrations(service);
  const application = await createApplication(service);
  const connection = await createConnection(service, application, registrations);
  const leaving = await createConnection(service, application, registrations, {
    externalSubjectId: "user-2",
    accountId: "provider_a-account-2",
    data: { nextScanAt: service.clock.current, nextProfileAt: service.clock.current },
  });
  const run = (task: keyof typeof TASKS, id: string) => TASKS[task].run(service, { id, applicationId: application.id });
  service.fakes.PROVIDER_A.posts = postsOf(POSTS, service.clock.current);
  const attempt = await createConnectAttempt(service, application, registrations);
  const overdue = { status: "AUTHORIZING", expiresAt: service.clock.fromNow(-HOUR_MS) } as const;
  await createConnectAttempt(service, application, registrations, overdue);
  for (const observed of [connection, leaving]) {
    const { id } = await refresh(service, { ...application, scope: observed }, observed);
    await run("scan", id);
    await createPost(service, observed, { observedAt: service.clock.fromNow(-40 * 24 * HOUR_MS) });
  }
  service.clock.advance(HOUR_MS);
  const rows = await readRows(service.pool);

  const calls: RecordedCall[] = [];
  const call = async <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
    let running: Promise<Result> | undefined;
    const statements = await statementsOf(() => {
      running = run();
      return running;
    });
    calls.push({ name, statements: statements.map(({ text, values }) => ({ text, values: values.map(asPlain) })) });
    return running as Promise<Result>;
  };
  const { clock } = service;
  const { caller, scope } = application;
  const window = { publishedAfter: clock.fromNow(-60 * 24 * HOUR_MS), publishedBefore: clock.current, first: 10 };
  const page = await call("content", async () => {
    await authenticate(service, [`Bearer ${application.key}`]);
    return readContent(service, caller, scope, connection.id, { ...window, after: null });
  });
  await call("content, next page", () =>
    readContent(service, caller, scope, connection.id, { ...window, after: page.pageInfo.endCursor }),
  );
  await call("contentItem", () => readContentItem(service, caller, scope, connection.id, "post-1"));
  await call("connection", () => readConnection(service, caller, scope, connection.id));
  await call("connections", () => listConnections(service, caller, scope, { first: 20, after: null }));
  await call("connectSessionResult", () => readConnectResult(service, caller, scope, attempt.id));
  await call("createConnectSession", () => startConnect(service, application));
  const { id } = await call("requestRefresh", () => refresh(service, application, connection));
  await call("a scan", () => run("scan", id));
  await call("syncJob", () => readJob(service, application, connection, id));
  const metrics = await call("requestRefresh of a post", () =>
    refresh(service, application, connection, { providerContentId: "post-1" }),
  );
  await call("a refresh of metrics", () => run("metrics", metrics.id));
  const url = "https://www.youtube.com/watch?v=abcdefghijk";
  const request = { scope, connectionId: connection.id, url };
  const lookup = await call("requestContentLookup", () => requestContentLookup(service, caller, request));
  await call("a lookup", () => run("lookup", lookup.id));
  const sweeps = [...EXPIRE_ATTEMPTS, ...PURGE_SWEEPS, ENQUEUE_BACKGROUND_READS, RECONCILE_REVOKE_SETTLEMENTS];
  for (const sweep of sweeps) await call(`the sweep ${sweep.name}`, () => runToEnd(service, [sweep]));
  const receipts = await call("disconnectConnection", () =>
    disconnect(service, { ...application, scope: leaving }, leaving),
  );
  await call("a revoke", () => run("revoke", receipts.revokeJobId));
  await call("an erasure", () => run("erase", receipts.eraseJobId));
  return { rows, calls };
}

function asPlain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return value.map(asPlain);
  if (typeof value === "bigint") return value.toString();
  return value;
}

async function readRows(pool: pg.Pool): Promise<Record<string, object[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`,
  );
  const found: Record<string, object[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: object }>(`SELECT to_jsonb(t) AS row FROM "${name}" t`);
    if (rows.length > 0) found[name] = rows.map(({ row }) => row);
  }
  return found;
}

const release = await record();
await writeFile(RELEASE_FILE, `${JSON.stringify(release, null, 1)}\n`);
console.log(`recorded ${release.calls.length} calls as of ${release.migration}`);
