/**
 * Produces the incidents of the runbooks on running services. The metric of the alert shows the incident, and no longer
 * after the command or the change that the runbook names. `deploy/prometheus/alerts.test.yml` tests at which values an alert
 * fires. A full disk is in `fullDisk.system.test.ts`.
 */
import type { RunningSimulator } from "@social-connect/simulator";
import { eventually, readMetric, reservePort } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { runCommand } from "../cli/testing/commandLine.ts";
import { query } from "../http/testing/testServer.ts";
import { createApplication, moveRegistration } from "../modules/testing/builders.ts";
import { refresh } from "../modules/testing/calls.ts";
import { providerAddresses } from "../providers/registration.ts";
import { simulateProviderA } from "../worker/testing/atSimulator.ts";
import { type RealTimeService, startRealTimeService } from "../worker/testing/realTimeService.ts";
import { linkAccount } from "./testing/linkAccount.ts";
import { serviceProcesses } from "./testing/serviceProcesses.ts";

let real: RealTimeService;
let simulator: RunningSimulator;
let registrationId: string;

beforeAll(async () => {
  real = await startRealTimeService();
  registrationId = real.registrations.PROVIDER_A;
  simulator = await simulateProviderA(real);
});
afterAll(async () => {
  await simulator?.close();
  await real?.base.close();
});

const environment = () => ({
  DATABASE_URL: real.databaseUrl,
  ENCRYPTION_KEYS: `test:${real.secretKey}`,
  PUBLIC_URL: real.service.connectHost,
});
const { start, startHere, run, runWith } = serviceProcesses(environment);

/** A connection whose first reads have ended. */
async function linked(): Promise<Connection> {
  const both = await startHere("both");
  await linkAccount(real, both.url, real.application.scope.externalSubjectId);
  await eventually(async () => {
    const jobs = await real.service.prisma.job.findMany({ select: { status: true } });
    expect(jobs).toEqual([{ status: "SUCCEEDED" }, { status: "SUCCEEDED" }]);
  });
  await both.stop();
  return real.service.prisma.connection.findFirstOrThrow();
}

/** Removes what a test has linked. */
afterEach(async () => {
  await real.service.pool.query("DELETE FROM pgboss.job");
  await real.service.prisma.connection.deleteMany();
  await real.service.prisma.job.deleteMany();
});

function jobOf(id: string) {
  return real.service.prisma.job.findFirst({ where: { id } });
}

async function statusOf(id: string): Promise<string | undefined> {
  return (await jobOf(id))?.status;
}

async function requestScan(connection: Connection): Promise<string> {
  return (await refresh(real.service, real.application, connection)).id;
}

function anHourAgo(): Date {
  return new Date(Date.now() - 3_600_000);
}

function unitsLeft(worker: { operations: string }): Promise<number> {
  return readMetric(worker, "social_connect_provider_quota_units_left", { registration: registrationId });
}

function oldestWaitingSeconds(process: { operations: string }): Promise<number> {
  return readMetric(process, "social_connect_oldest_waiting_job_age_seconds");
}

async function scan(connection: Connection): Promise<void> {
  const id = await requestScan(connection);
  await eventually(async () => expect(await statusOf(id)).toBe("SUCCEEDED"));
}

test("provider outage: doctor names the provider, and its jobs are retried afterwards", async () => {
  const connection = await linked();
  const worker = await startHere("worker");
  await scan(connection);
  const failedCalls = () => readMetric(worker, "social_connect_provider_calls_total", { result: "network" });
  expect(await failedCalls()).toBe(0);

  const where = { id: registrationId };
  const stored = await real.service.prisma.providerRegistration.findUniqueOrThrow({ where });
  const addresses = providerAddresses.parse(stored.addresses);
  const unreachable = JSON.stringify(addresses).replaceAll(simulator.providerUrls["provider-a"], "http://127.0.0.1:9");
  const restore = () => moveRegistration(real.service, registrationId, { addresses });
  onTestFinished(restore);
  await moveRegistration(real.service, registrationId, { addresses: JSON.parse(unreachable) });
  const waiting = await requestScan(connection);
  await eventually(async () => {
    expect(await jobOf(waiting)).toMatchObject({ status: "QUEUED", waitReason: "PROVIDER_UNAVAILABLE" });
  });
  const failedBefore = await failedCalls();
  expect(failedBefore).toBeGreaterThan(0);
  const { attempt = 0 } = (await jobOf(waiting)) ?? {};
  await eventually(async () => expect((await jobOf(waiting))?.attempt).toBeGreaterThan(attempt + 1));
  expect(await failedCalls()).toBeGreaterThan(failedBefore);
  expect((await run("doctor")).output).toMatch(/^provider PROVIDER_A: Correct the registration/m);
  expect((await run("jobs", "list", "--wait-reason", "PROVIDER_UNAVAILABLE")).output).toContain(waiting);

  await restore();
  // It may run already, because its delays are short at first.
  await run("jobs", "retry", waiting);
  await eventually(async () => expect(await statusOf(waiting)).toBe("SUCCEEDED"));
  const failedAfter = await failedCalls();
  await scan(connection);
  expect(await failedCalls()).toBe(failedAfter);
});

test("quota used up: quota show has the use, quota set ends it, and jobs retry runs what waited", {
  tags: "nightly",
}, async () => {
  const connection = await linked();
  const worker = await startHere("worker");
  await scan(connection);
  await eventually(async () => expect(await unitsLeft(worker)).toBeGreaterThan(100));
  onTestFinished(async () => void (await run("quota", "set", registrationId)));
  expect(await run("quota", "set", registrationId, "--units", "2")).toMatchObject({ exitCode: 0 });
  const waiting = await requestScan(connection);
  await eventually(async () => {
    expect(await jobOf(waiting)).toMatchObject({ waitReason: "QUOTA" });
  });
  await eventually(async () => expect(await unitsLeft(worker)).toBe(0));
  expect((await run("quota", "show")).output).toMatch(/PROVIDER_A +PUBLISHED +2 /);
  expect(await run("quota", "set", registrationId)).toMatchObject({ exitCode: 0 });
  expect(await run("jobs", "retry", waiting)).toMatchObject({ exitCode: 0 });
  await eventually(async () => expect(await statusOf(waiting)).toBe("SUCCEEDED"));
  await eventually(async () => expect(await unitsLeft(worker)).toBeGreaterThan(100));
});

test("stuck queue: jobs list shows what waits, jobs cancel ends one job, and a worker ends the others", {
  tags: "nightly",
}, async () => {
  const connection = await linked();
  const api = await startHere("api");
  await linkAccount(real, api.url, "user-2");
  const canceled = await real.service.prisma.job.findFirstOrThrow({ where: { kind: "SCAN", status: "QUEUED" } });
  const waiting = await requestScan(connection);
  expect(await oldestWaitingSeconds(api)).toBeLessThan(600);
  await real.service.prisma.job.updateMany({ where: { status: "QUEUED" }, data: { createdAt: anHourAgo() } });
  await eventually(async () => expect(await oldestWaitingSeconds(api)).toBeGreaterThan(3_500));
  const { output } = await run("jobs", "list", "--wait-reason", "BEHIND_OTHER_WORK");
  for (const id of [waiting, canceled.id]) expect(output).toContain(id);
  expect(await run("jobs", "cancel", canceled.id)).toMatchObject({ exitCode: 0 });
  expect(await statusOf(canceled.id)).toBe("CANCELED");
  await startHere("worker");
  await eventually(async () => expect(await statusOf(waiting)).toBe("SUCCEEDED"));
  await eventually(async () => expect(await oldestWaitingSeconds(api)).toBeLessThan(600));
});

test("slow database: calls that wait for a lock fail until the lock is ended", { tags: "nightly" }, async () => {
  const connection = await linked();
  const api = await startHere("api");
  const read = () => {
    const text = `query($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) {
      content(scope: $scope, connectionId: $id, window: $window) { items { id } } }`;
    const now = Date.now();
    const window = { publishedAfter: new Date(now - 86_400_000), publishedBefore: new Date(now), first: 1 };
    return query(api, real.application.key, text, { scope: real.application.scope, id: connection.id, window });
  };
  const failedCalls = () => readMetric(api, "social_connect_requests_total", { code: "UPSTREAM_UNAVAILABLE" });
  const slowCalls = async () =>
    (await readMetric(api, "social_connect_request_duration_seconds_count", { surface: "consumer" })) -
    (await readMetric(api, "social_connect_request_duration_seconds_bucket", { surface: "consumer", le: "1" }));
  await read();
  expect([await failedCalls(), await slowCalls()]).toEqual([0, 0]);
  const locking = await real.service.pool.connect();
  onTestFinished(() => locking.release());
  await locking.query("BEGIN; LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE");
  for (const _ of ["first", "second"]) {
    const answers = await Promise.all(Array.from({ length: 4 }, read));
    expect(answers.map(({ code }) => code)).toEqual(Array(4).fill("UPSTREAM_UNAVAILABLE"));
  }
  expect([await failedCalls(), await slowCalls()]).toEqual([8, 8]);
  const blocked = read();
  const waiting =
    "SELECT DISTINCT unnest(pg_blocking_pids(pid)) AS pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  const pid = await eventually(async () => {
    const { rows } = await real.service.pool.query<{ pid: number }>(waiting);
    return rows[0]?.pid ?? expect.fail("nothing waits for a lock");
  });
  locking.on("error", () => undefined);
  await real.service.pool.query("SELECT pg_terminate_backend($1)", [pid]);
  expect(await blocked).toMatchObject({ errors: [] });
  const slowBefore = await slowCalls();
  expect(await read()).toMatchObject({ errors: [] });
  expect([await failedCalls(), await slowCalls()]).toEqual([8, slowBefore]);
});

test("compromised key: refused calls fire the alert, and a revoked key is refused", async () => {
  const api = await startHere("api");
  const [keyId] = real.application.key.split(".");
  const guess = () => query(api, `${keyId}.${"0".repeat(64)}`, "{ integrationReadiness { idpIdentityAvailable } }");
  const refused = () => readMetric(api, "social_connect_security_events_total", { event: "api.key_refused" });
  expect(await refused()).toBe(0);
  await Promise.all(Array.from({ length: 30 }, guess));
  expect(await refused()).toBe(30);
  const leaked = await createApplication(real.base, "leaked");
  const [leakedId = ""] = leaked.key.split(".");
  const useLeaked = () => query(api, leaked.key, "{ integrationReadiness { idpIdentityAvailable } }");
  expect(await useLeaked()).toMatchObject({ errors: [] });
  expect(await run("keys", "revoke", leakedId)).toMatchObject({ exitCode: 0 });
  expect(await useLeaked()).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(await refused()).toBe(31);
});

test("noisy application: the alert names it, others are served, and keys revoke ends its load", async () => {
  const api = await start("api");
  const noisy = await createApplication(real.base, "noisy");
  // Eight reads in a call, so that calls arrive faster than any machine answers them.
  const reads = Array.from({ length: 8 }, (_, index) => `read${index}: integrationReadiness { idpIdentityAvailable }`);
  const callWith = ({ key }: { readonly key: string }) => query(api, key, `{ ${reads.join(" ")} }`);
  const flood = async (length: number) => {
    const calls = Array.from({ length }, () => callWith(noisy));
    const other = await callWith(real.application);
    return { other, codes: (await Promise.all(calls)).map(({ code }) => code) };
  };
  const refused = (labels: Readonly<Record<string, string>>) =>
    readMetric(api, "social_connect_calls_refused_total", labels);
  expect(await refused({})).toBe(0);
  // How many calls of a flood are refused depends on how fast they arrive.
  const received = new Set<unknown>();
  for (let floods = 0; floods < 20 && (await refused({})) < 10; floods += 1) {
    const { codes, other } = await flood(200);
    for (const code of codes) received.add(code);
    expect(other).toMatchObject({ errors: [] });
  }
  expect(received).toContain("RATE_LIMITED");
  const refusedBefore = await refused({ application: noisy.id });
  expect(refusedBefore).toBeGreaterThanOrEqual(10);
  expect(await refused({})).toBe(refusedBefore);
  const keys = JSON.parse((await run("keys", "list", "--application", "noisy", "--json")).output) as { id: string }[];
  expect(keys).toHaveLength(1);
  expect(await run("keys", "revoke", keys[0]?.id ?? "")).toMatchObject({ exitCode: 0 });
  // It continues to call.
  expect(new Set((await flood(20)).codes)).toEqual(new Set(["UNAUTHENTICATED"]));
  expect(await refused({})).toBe(refusedBefore);
});

test("erase a tenant now: without a worker the command ends with 3 and the alert fires, and with one it erases", {
  tags: "nightly",
}, async () => {
  const connection = await linked();
  const api = await startHere("api");
  const tenant = ["--application", "shop", "--tenant", real.application.tenantKey] as const;
  const dryRun = await run("erase", ...tenant, "--dry-run", "--json");
  expect(JSON.parse(dryRun.output)).toMatchObject({ connections: 1, dryRun: true });
  expect((await real.service.prisma.connection.findMany()).map(({ status }) => status)).toEqual(["CONNECTED"]);
  expect(await oldestWaitingSeconds(api)).toBeLessThan(600);

  expect(await run("erase", ...tenant, "--wait", "0")).toMatchObject({ exitCode: 3 });
  await real.service.prisma.job.updateMany({ where: { kind: "REVOKE" }, data: { createdAt: anHourAgo() } });
  await eventually(async () => expect(await oldestWaitingSeconds(api)).toBeGreaterThan(3_500));
  expect((await run("jobs", "list", "--kind", "REVOKE")).output).toContain("QUEUED");
  expect(await run("verify-erasure", connection.id)).toMatchObject({ exitCode: 1 });

  const worker = await startHere("worker");
  const erased = await run("erase", ...tenant);
  expect(erased).toMatchObject({ exitCode: 0, output: expect.stringContaining("everything is erased") });
  for (const each of [api, worker])
    await eventually(async () => expect(await oldestWaitingSeconds(each)).toBeLessThan(600));
  for (const kind of ["REVOKE", "ERASE"]) {
    const labels = { kind, outcome: "SUCCEEDED" };
    expect(await readMetric(worker, "social_connect_job_attempts_total", labels), kind).toBe(1);
  }
  expect(await run("verify-erasure", connection.id)).toMatchObject({ exitCode: 0 });
});

test("wrong encryption key: a process refuses to start and names the key, and starts when the key is added", async () => {
  await linked();
  const api = await start("api");
  expect(await readMetric(api, "social_connect_ready")).toBe(1);
  await api.stop();
  await expect(readMetric(api, "social_connect_ready")).rejects.toThrow();
  const wrong = {
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
    PORT: String(await reservePort()),
  };
  const refused = await runCommand(["start", "--role", "api"], { ...environment(), ...wrong });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/\btest\b/) });
  expect((await runWith(wrong, "doctor")).output).toMatch(/encryption.+\btest\b/);
  const newKey = `new:${Buffer.alloc(32, 7).toString("base64")}`;
  expect((await runWith({ ENCRYPTION_KEYS: newKey }, "doctor")).output).toMatch(/failed +encryption.+\btest\b/);
  const added = { ENCRYPTION_KEYS: `${newKey},test:${real.secretKey}` };
  expect((await runWith(added, "doctor")).output).toMatch(/ok +encryption/);
  const again = await start("api", added);
  expect(await readMetric(again, "social_connect_ready")).toBe(1);
});
