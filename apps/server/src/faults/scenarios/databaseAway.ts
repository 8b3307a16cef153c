import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATABASE_SERVER_VARIABLE, eventually, reservePort, TEMPLATE_DATABASE_VARIABLE } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { GraphQLAnswer } from "../../http/testing/testServer.ts";
import { RETURN_URL } from "../../modules/testing/builders.ts";
import { openDatabase } from "../../platform/database/database.ts";
import { applyMigrations } from "../../platform/database/migrations.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../../platform/embeddedDatabase/start.ts";
import { type RealTimeService, startRealTimeService } from "../../worker/testing/realTimeService.ts";
import {
  type ApiProcess,
  CONNECT_SESSION_RESULT,
  CREATE_CONNECT_SESSION,
  REQUEST_REFRESH,
  startApi,
} from "../testing/apiProcess.ts";
import { startTold, type Told } from "../testing/processes.ts";
import type { WorkerProcessOptions } from "../testing/workerProcess.ts";

let dataFolder: string;
let startDatabase: () => Promise<EmbeddedDatabase>;
let database: EmbeddedDatabase;
let real: RealTimeService;
let api: ApiProcess;
let worker: Told;
const processes = new AsyncDisposableStack();

/** PostgreSQL stops immediately under load and restarts. Hooks and tests of a suite. */
export function databaseAway(): void {
  beforeAll(async () => {
    // A separate server, because it will be stopped; with durable writes.
    dataFolder = await mkdtemp(join(tmpdir(), "social-connect-away-"));
    const port = await reservePort();
    startDatabase = () => startEmbeddedDatabase({ dataFolder, port });
    database = await startDatabase();
    const { pool, close } = openDatabase({ url: database.url("postgres"), poolSize: 1 });
    await pool.query("CREATE DATABASE migrated");
    await close();
    await applyMigrations(database.url("migrated"));
    real = await onServer(database.url("postgres"), "migrated", startRealTimeService);
    const { databaseUrl, secretKey } = real;
    const options: WorkerProcessOptions = {
      ...{ databaseUrl, secretKey, mark: "" },
      concurrency: { read: 4, settle: 2 },
      holds: [],
    };
    worker = startTold(processes, "./workerProcess.ts", { WORKER_PROCESS: JSON.stringify(options) });
    [api] = await Promise.all([startApi(processes, real), worker.tells("ready")]);
  });
  afterAll(async () => {
    await processes.disposeAsync();
    await real?.service.close();
    await database?.stop();
    await rm(dataFolder, { recursive: true, force: true });
  });

  test("a database that stops immediately under load and restarts loses no confirmed write, and no process exits", async () => {
    const { service, application } = real;
    const connections: Connection[] = [];
    for (let index = 0; index < 40; index += 1) connections.push(await real.connect({ accountId: `account-${index}` }));
    const sessions = new Map<string, string>();
    const jobs = new Set<string>();
    const codes = new Set<unknown>();
    let isOver = false;
    const note = (answer: GraphQLAnswer, keep: (id: string) => void) => {
      codes.add(answer.code);
      const [made] = Object.values(answer.data ?? {}) as ({ id: string } | null)[];
      if (made) keep(made.id);
    };
    const load = Array.from({ length: 6 }, async (_, lane) => {
      for (let round = 0; !isOver; round += 1) {
        const externalSubjectId = `subject-${lane}-${round}`;
        const scope = { ...application.scope, externalSubjectId };
        const input = { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL };
        note(await api.call(CREATE_CONNECT_SESSION, { input }), (id) => sessions.set(id, externalSubjectId));
        const connection = connections[(round * 6 + lane) % connections.length] as Connection;
        const refresh = { scope: application.scope, connectionId: connection.id };
        note(await api.call(REQUEST_REFRESH, refresh), (id) => jobs.add(id));
      }
    });
    await eventually(async () => expect(sessions.size).toBeGreaterThan(30));

    // PostgreSQL's immediate shutdown: like a crash, without closing connections, followed by recovery at the next
    // start.
    process.kill(database.pid, "SIGQUIT");
    await eventually(async () => expect(await api.status("/readyz")).toBe(503));
    expect(await api.status("/healthz")).toBe(200);
    await eventually(async () => expect(codes).toContain("UPSTREAM_UNAVAILABLE"));
    database = await startDatabase();
    await eventually(async () => expect(await api.status("/readyz")).toBe(200));
    const made = sessions.size;
    await eventually(async () => expect(sessions.size).toBeGreaterThan(made));
    isOver = true;
    await Promise.all(load);

    expect([api.program.hasEnded(), worker.hasEnded()]).toEqual([false, false]);
    for (const [id, externalSubjectId] of sessions) {
      const scope = { ...application.scope, externalSubjectId };
      const { data } = await api.call(CONNECT_SESSION_RESULT, { scope, id });
      expect(data).toEqual({ connectSessionResult: { status: "CREATED" } });
    }
    await eventually(async () => {
      const rows = await service.prisma.job.findMany({ where: { id: { in: [...jobs] } } });
      expect(rows).toHaveLength(jobs.size);
      expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["SUCCEEDED"]));
    });
  });
}

/**
 * Makes `start` create its test database on another server than the run's. The server is passed at the call, so other
 * tests are not affected.
 */
function onServer<T>(url: string, template: string, start: () => Promise<T>): Promise<T> {
  const names = [DATABASE_SERVER_VARIABLE, TEMPLATE_DATABASE_VARIABLE] as const;
  const before = names.map((name) => process.env[name]);
  Object.assign(process.env, { [DATABASE_SERVER_VARIABLE]: url, [TEMPLATE_DATABASE_VARIABLE]: template });
  const started = start();
  for (const [index, name] of names.entries()) Object.assign(process.env, { [name]: before[index] });
  return started;
}
