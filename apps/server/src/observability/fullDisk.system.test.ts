/** @module-tag nightly */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningSimulator } from "@social-connect/simulator";
import {
  canMountDisk,
  DATABASE_SERVER_VARIABLE,
  eventually,
  mountDisk,
  readMetric,
  reservePort,
  runStatement,
  type SmallDisk,
  TEMPLATE_DATABASE_VARIABLE,
} from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ServiceProcess } from "../cli/testing/commandLine.ts";
import { query } from "../http/testing/testServer.ts";
import { RETURN_URL } from "../modules/testing/builders.ts";
import { databaseIsReady } from "../platform/database/database.ts";
import { applyMigrations } from "../platform/database/migrations.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../platform/embeddedDatabase/start.ts";
import { simulateProviderA } from "../worker/testing/atSimulator.ts";
import { type RealTimeService, startRealTimeService } from "../worker/testing/realTimeService.ts";
import { linkAccount } from "./testing/linkAccount.ts";
import { serviceProcesses } from "./testing/serviceProcesses.ts";

/**
 * The incident of the runbook `full-disk`: PostgreSQL's folder is on a file system without free space, so its writes really
 * fail. A file system can only be mounted by root; elsewhere these tests are skipped.
 */
const ENOUGH_BYTES = 2_000_000_000;
const CREATE = "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id } }";
const CONNECTIONS = "query($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";
const CONTENT = `query($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $id, window: $window) { items { id } } }`;

describe.skipIf(!canMountDisk)("on a separate file system (needs root, to mount it)", () => {
  let disk: SmallDisk;

  beforeAll(() => {
    disk = mountDisk(ENOUGH_BYTES);
  });
  afterAll(() => disk?.[Symbol.dispose]());

  describe("of a separate PostgreSQL", () => {
    let server: EmbeddedDatabase;
    let port: number;
    let real: RealTimeService;
    let simulator: RunningSimulator;

    const startServer = async () => {
      server = await startEmbeddedDatabase({ dataFolder: join(disk.path, "separate"), port });
    };
    const { start, run } = serviceProcesses(() => ({
      DATABASE_URL: real.databaseUrl,
      ENCRYPTION_KEYS: `test:${real.secretKey}`,
      PUBLIC_URL: real.service.connectHost,
    }));

    beforeAll(async () => {
      port = await reservePort();
      await startServer();
      // Databases of this file are on this server.
      const template = "full_disk_template";
      vi.stubEnv(DATABASE_SERVER_VARIABLE, server.url("postgres"));
      vi.stubEnv(TEMPLATE_DATABASE_VARIABLE, template);
      await runStatement(server.url("postgres"), `CREATE DATABASE ${template}`);
      await applyMigrations(server.url(template));
      real = await startRealTimeService();
      simulator = await simulateProviderA(real);
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await simulator?.close();
      await real?.base.close();
      await server?.stop();
    });

    const createSession = (api: ServiceProcess, externalSubjectId: string) => {
      const scope = { tenantKey: real.application.tenantKey, externalSubjectId };
      const input = { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL };
      return query(api, real.application.key, CREATE, { input });
    };
    const postsOf = async (api: ServiceProcess, externalSubjectId: string) => {
      const scope = { tenantKey: real.application.tenantKey, externalSubjectId };
      const listed = await query(api, real.application.key, CONNECTIONS, { scope });
      expect(listed.errors).toEqual([]);
      const [connection] = (listed.data.connections as { items: { id: string }[] }).items;
      const now = Date.now();
      const window = { publishedAfter: new Date(now - 604_800_000), publishedBefore: new Date(now), first: 50 };
      const read = await query(api, real.application.key, CONTENT, { scope, id: connection?.id, window });
      expect(read.errors).toEqual([]);
      return (read.data.content as { items: unknown[] }).items.length;
    };
    /** The states of all jobs. */
    const jobs = async () => {
      const found = await real.service.prisma.job.findMany({ orderBy: [{ createdAt: "asc" }, { kind: "asc" }] });
      return found.map(({ status }) => status);
    };
    /** The answers of the provider are late, so that its posts arrive after the disk is full. */
    const delayProvider = async () => {
      const fault = { provider: "provider-a", fault: { kind: "delay", delayMs: 3_000 }, count: 20 };
      const body = JSON.stringify(fault);
      const headers = { "content-type": "application/json" };
      const added = await fetch(`${simulator.simulatorUrl}/__sim/faults`, { method: "POST", headers, body });
      expect(added.status).toBe(201);
    };
    const endDelay = async () => void (await fetch(`${simulator.simulatorUrl}/__sim/faults`, { method: "DELETE" }));

    test("writes fail with a clear code, reads continue, and an extended disk ends it without a restart", async () => {
      const [api, worker] = await Promise.all([start("api"), start("worker")]);
      await linkAccount(real, api.url, "user-1");
      await eventually(async () => expect(await jobs()).toEqual(["SUCCEEDED", "SUCCEEDED"]));
      const posts = await postsOf(api, "user-1");
      expect(posts).toBeGreaterThan(0);
      await delayProvider();
      await linkAccount(real, api.url, "user-2");
      await eventually(async () => expect((await jobs()).slice(2)).toEqual(["RUNNING", "RUNNING"]));
      // The log has room, so that PostgreSQL continues.
      await real.service.pool.query("CHECKPOINT");
      await real.service.pool.query("SELECT pg_switch_wal()");
      const failedWrites = () =>
        Promise.all(
          [api, worker].map((each) => readMetric(each, "social_connect_database_errors_total", { sqlstate: "53100" })),
        );
      expect(await failedWrites()).toEqual([0, 0]);

      disk.fill();
      onTestFinished(() => disk.extend(ENOUGH_BYTES));
      const codes = new Set<unknown>();
      for (let subject = 0; subject < 500 && !codes.has("UPSTREAM_UNAVAILABLE"); subject += 1)
        codes.add((await createSession(api, `subject-${subject}`)).code);
      expect(codes).toContain("UPSTREAM_UNAVAILABLE");
      expect(await postsOf(api, "user-1")).toBe(posts);
      expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
      await eventually(async () => expect(Math.min(...(await failedWrites()))).toBeGreaterThan(0));
      expect(await jobs()).not.toEqual(Array(4).fill("SUCCEEDED"));
      expect((await run("jobs", "list", "--kind", "SCAN")).output).toMatch(/RUNNING|QUEUED/);

      await endDelay();
      disk.extend(ENOUGH_BYTES);
      expect(await createSession(api, "afterwards")).toMatchObject({ errors: [] });
      await eventually(async () => expect(await jobs()).toEqual(Array(4).fill("SUCCEEDED")));
      expect(await postsOf(api, "user-2")).toBe(posts);
      expect([api.program.child.exitCode, worker.program.child.exitCode]).toEqual([null, null]);
      const failedAfter = await failedWrites();
      expect(await createSession(api, "at the end")).toMatchObject({ errors: [] });
      expect(await failedWrites()).toEqual(failedAfter);
      expect(await run("sweeps")).toMatchObject({ exitCode: 0 });
    });

    test("PostgreSQL stops when its log has no room, and the processes continue when it is started again", async () => {
      const [api, worker] = await Promise.all([start("api"), start("worker")]);
      const before = await real.service.prisma.connection.count();
      const ready = () => Promise.all([api, worker].map((each) => readMetric(each, "social_connect_ready")));
      expect(await ready()).toEqual([1, 1]);
      await delayProvider();
      await linkAccount(real, api.url, "user-3");
      const accepted = (await jobs()).length;

      disk.fill();
      onTestFinished(() => disk.extend(ENOUGH_BYTES));
      // PostgreSQL may stop during this statement, because the next segment of the log has no room.
      await real.service.pool.query("SELECT pg_switch_wal()").catch(() => undefined);
      await eventually(async () => {
        await createSession(api, "subject-1");
        expect(await databaseIsReady(real.service.pool)).toBe(false);
      });
      expect(await createSession(api, "subject-2")).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
      expect(await ready()).toEqual([0, 0]);

      disk.extend(ENOUGH_BYTES);
      await endDelay();
      await startServer();
      await eventually(async () => expect(await ready()).toEqual([1, 1]));
      expect(await real.service.prisma.connection.count()).toBe(before + 1);
      await eventually(async () => expect(await jobs()).toEqual(Array(accepted).fill("SUCCEEDED")));
      expect(await postsOf(api, "user-3")).toBeGreaterThan(0);
      expect([api.program.child.exitCode, worker.program.child.exitCode]).toEqual([null, null]);
    });
  });

  test("the embedded database that a full disk ended starts again when there is room", async () => {
    disk.extend(ENOUGH_BYTES);
    const folder = join(disk.path, "restarted");
    const settings = { DATA_DIR: folder, EMBEDDED_DATABASE_PORT: String(await reservePort()), LOG_LEVEL: "warn" };
    const { start } = serviceProcesses(() => settings);
    const service = await start("both");
    const ready = async () => (await fetch(`${service.operations}/readyz`)).status;
    const databasePid = () => Number.parseInt(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8"), 10);
    const first = databasePid();
    disk.fill();
    onTestFinished(() => disk.extend(ENOUGH_BYTES));
    // As PostgreSQL does when its log has no room.
    process.kill(first, "SIGQUIT");
    await eventually(async () => expect(await ready()).toBe(503));
    await eventually(() => expect(service.output.join()).toMatch(/the embedded database cannot be started; retrying/));
    disk.extend(ENOUGH_BYTES);
    await eventually(async () => expect(await ready()).toBe(200));
    expect(databasePid()).not.toBe(first);
    await eventually(() => expect(service.output.join()).toMatch(/the embedded database runs again/));
  });

  test("the embedded database's metric and `doctor` warn before the disk is full", async () => {
    const settings = { DATA_DIR: join(disk.path, "embedded"), EMBEDDED_DATABASE_PORT: String(await reservePort()) };
    const { start, run } = serviceProcesses(() => settings);
    const service = await start("both");
    const freeBytes = () => readMetric(service, "social_connect_data_folder_free_bytes");
    expect(await freeBytes()).toBeGreaterThan(1e9);
    disk.extend(900_000_000);
    onTestFinished(() => disk.extend(ENOUGH_BYTES));
    expect(await freeBytes()).toBeLessThan(1e9);
    expect(readFileSync(join(settings.DATA_DIR, "postgres.log"), "utf8")).not.toContain("No space left");
    disk.extend(ENOUGH_BYTES);
    expect(await freeBytes()).toBeGreaterThan(1e9);
    await service.stop();
    disk.fill();
    expect(await run("doctor")).toMatchObject({ exitCode: 1, output: expect.stringMatching(/failed +disk/) });
  });
});
