import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bySlug, providerSlug } from "@social-connect/domain";
import type { RunningSimulator } from "@social-connect/simulator";
import { simulatorRegistration, startSimulator } from "@social-connect/simulator";
import { eventually } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { Connection } from "../_generated/prisma/client.ts";
import { query } from "../http/testing/testServer.ts";
import { clientSecretBinding } from "../modules/registrations/registrationAccess.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { refresh } from "../modules/testing/calls.ts";
import { reservePort } from "../platform/ports.ts";
import type { RealTimeService } from "../worker/testing/realTimeService.ts";
import { startRealTimeService } from "../worker/testing/realTimeService.ts";
import { linkAccount } from "./testing/linkAccount.ts";
import { parsePrometheus } from "./testing/prometheusText.ts";
import type { Scrape } from "./testing/promQl.ts";
import { evaluate } from "./testing/promQl.ts";

/**
 * Produces the incidents of the runbooks on running processes: each alert is silent before, fires during the incident, and is
 * silent again after the command or the change that its runbook names.
 */
const COMMAND = fileURLToPath(new URL("../cli/cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const RULES = new URL("../../../../deploy/prometheus/alerts.yml", import.meta.url);
const PROVIDER = "PROVIDER_A";
const SCRAPE_SECONDS = 10;
const WINDOW_SECONDS = 1_000;

interface Process {
  readonly child: ChildProcess;
  readonly operations: string;
  readonly url: string;
}

const { groups } = parse(readFileSync(RULES, "utf8")) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
const expressions = new Map(groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr])));

let real: RealTimeService;
let simulator: RunningSimulator;
let registrationId: string;

beforeAll(async () => {
  real = await startRealTimeService();
  const callback = `${real.service.connectHost}/api/connect/callback/${providerSlug(PROVIDER)}`;
  const client = { clientId: "client", clientSecret: "secret", redirectUris: [callback] };
  simulator = await startSimulator({ port: 0, issuerPort: 0, clients: bySlug(() => [client]), issuerClients: [] });
  const { addresses, scopes } = simulatorRegistration(simulator.providerUrls, providerSlug(PROVIDER), client);
  registrationId = real.registrations[PROVIDER];
  const clientSecretSealed = real.service.secretBox.seal(client.clientSecret, clientSecretBinding(registrationId));
  await real.service.prisma.providerRegistration.update({
    where: { id: registrationId },
    data: { addresses, scopes, clientSecretSealed },
  });
});
afterAll(async () => {
  await simulator?.close();
  await real?.base.close();
});

function environment(more: Readonly<Record<string, string>>) {
  return {
    PATH: process.env.PATH,
    DATABASE_URL: real.databaseUrl,
    ENCRYPTION_KEYS: `test:${real.secretKey}`,
    PUBLIC_URL: real.service.connectHost,
    LOG_LEVEL: "silent",
    ...more,
  };
}

async function start(role: "api" | "worker", more: Readonly<Record<string, string>> = {}): Promise<Process> {
  const [port, metricsPort] = [await reservePort(), await reservePort()];
  const child = spawn(process.execPath, [...FLAGS, COMMAND, "start", "--role", role], {
    env: environment({ DRAIN_SECONDS: "0", PORT: String(port), METRICS_PORT: String(metricsPort), ...more }),
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => stop({ child }));
  const operations = `http://127.0.0.1:${metricsPort}`;
  await eventually(async () => expect((await fetch(`${operations}/readyz`)).status).toBe(200));
  return { child, operations, url: `http://127.0.0.1:${port}` };
}

async function stop({ child }: Pick<Process, "child">): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

/** An operator's command. */
function run(...parameters: string[]): Promise<Ended> {
  return runWith({}, ...parameters);
}

async function runWith(more: Readonly<Record<string, string>>, ...parameters: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [...FLAGS, COMMAND, ...parameters], {
    env: environment(more),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  return { exitCode: child.exitCode, output };
}

/** Scrapes of processes, at artificial times, so that no test waits for a window to pass. */
class Monitor {
  readonly #scrapes: Scrape[] = [];
  #atSeconds = Date.now() / 1_000;

  async scrape(...processes: readonly Process[]): Promise<void> {
    const samples = await Promise.all(
      processes.map(async ({ operations }) => {
        const labels = { job: "social-connect", instance: operations };
        const families = await readMetrics(operations);
        if (families === null) return [{ name: "up", labels, value: 0 }];
        const own = [...families.values()].flatMap((family) => family.samples);
        return [
          { name: "up", labels, value: 1 },
          ...own.map((sample) => ({ ...sample, labels: { ...sample.labels, ...labels } })),
        ];
      }),
    );
    this.#scrapes.push({ atSeconds: this.#atSeconds, samples: samples.flat() });
    this.#atSeconds += SCRAPE_SECONDS;
  }

  /** Lets every window of a rule pass. */
  pass(): void {
    this.#atSeconds += WINDOW_SECONDS;
  }

  fires(alert: string): boolean {
    const expression = expressions.get(alert);
    if (expression === undefined) throw new Error(`There is no alert ${alert}.`);
    return evaluate(expression, this.#scrapes).length > 0;
  }
}

async function readMetrics(operations: string) {
  const response = await fetch(`${operations}/metrics`).catch(() => null);
  return response === null ? null : parsePrometheus(await response.text());
}

/** Scrapes until the alert fires or is silent: metrics of the database's state are read every 15 seconds. */
async function until(monitor: Monitor, processes: readonly Process[], alert: string, fires: boolean): Promise<void> {
  await eventually(async () => {
    await monitor.scrape(...processes);
    expect(monitor.fires(alert), alert).toBe(fires);
  });
}

/** A connection whose first reads have ended. */
async function linked(): Promise<Connection> {
  const [api, worker] = await Promise.all([start("api"), start("worker")]);
  await linkAccount(real, api.url, real.application.scope.externalSubjectId);
  await eventually(async () => {
    const jobs = await real.service.prisma.job.findMany({ select: { status: true } });
    expect(jobs).toEqual([{ status: "SUCCEEDED" }, { status: "SUCCEEDED" }]);
  });
  await Promise.all([stop(api), stop(worker)]);
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

async function scan(connection: Connection): Promise<void> {
  const id = await requestScan(connection);
  await eventually(async () => expect(await statusOf(id)).toBe("SUCCEEDED"));
}

test("provider outage: doctor names the provider, and its jobs are retried afterwards", async () => {
  const connection = await linked();
  const monitor = new Monitor();
  const worker = await start("worker");
  await scan(connection);
  await monitor.scrape(worker);
  await scan(connection);
  await monitor.scrape(worker);
  expect(monitor.fires("SocialConnectProviderFails")).toBe(false);

  const where = { id: registrationId };
  const { addresses } = await real.service.prisma.providerRegistration.findUniqueOrThrow({ where });
  const unreachable = JSON.stringify(addresses).replaceAll(simulator.providerUrls["provider-a"], "http://127.0.0.1:9");
  const restore = () =>
    real.service.prisma.providerRegistration.update({ where, data: { addresses: addresses ?? {} } });
  onTestFinished(async () => void (await restore()));
  await real.service.prisma.providerRegistration.update({ where, data: { addresses: JSON.parse(unreachable) } });
  const waiting = await requestScan(connection);
  await eventually(async () => {
    expect(await jobOf(waiting)).toMatchObject({ status: "QUEUED", waitReason: "PROVIDER_UNAVAILABLE" });
  });
  await monitor.scrape(worker);
  const { attempt = 0 } = (await jobOf(waiting)) ?? {};
  await eventually(async () => expect((await jobOf(waiting))?.attempt).toBeGreaterThan(attempt + 1));
  await monitor.scrape(worker);
  expect(monitor.fires("SocialConnectProviderFails")).toBe(true);
  expect((await run("doctor")).output).toMatch(/^provider PROVIDER_A: Correct the registration/m);
  expect((await run("jobs", "list", "--wait-reason", "PROVIDER_UNAVAILABLE")).output).toContain(waiting);

  await restore();
  // It may run already, because its delays are short at first.
  await run("jobs", "retry", waiting);
  await eventually(async () => expect(await statusOf(waiting)).toBe("SUCCEEDED"));
  monitor.pass();
  await monitor.scrape(worker);
  await scan(connection);
  await monitor.scrape(worker);
  expect(monitor.fires("SocialConnectProviderFails")).toBe(false);
});

test("quota used up: quota show has the use, and quota set ends it", async () => {
  const connection = await linked();
  const monitor = new Monitor();
  const worker = await start("worker");
  await scan(connection);
  await until(monitor, [worker], "SocialConnectQuotaUsedUp", false);
  onTestFinished(async () => void (await run("quota", "set", registrationId)));
  expect(await run("quota", "set", registrationId, "--units", "2")).toMatchObject({ exitCode: 0 });
  const waiting = await requestScan(connection);
  await eventually(async () => {
    expect(await jobOf(waiting)).toMatchObject({ waitReason: "QUOTA" });
  });
  await until(monitor, [worker], "SocialConnectQuotaUsedUp", true);
  expect((await run("quota", "show")).output).toMatch(/PROVIDER_A +PUBLISHED +2 /);
  expect(await run("quota", "set", registrationId)).toMatchObject({ exitCode: 0 });
  await until(monitor, [worker], "SocialConnectQuotaUsedUp", false);
});

test("stuck queue: jobs list shows what waits, and a worker ends it", async () => {
  const connection = await linked();
  const monitor = new Monitor();
  const api = await start("api");
  const waiting = await requestScan(connection);
  await until(monitor, [api], "SocialConnectJobsStuck", false);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await real.service.prisma.job.updateMany({ where: { id: waiting }, data: { createdAt: anHourAgo } });
  await until(monitor, [api], "SocialConnectJobsStuck", true);
  expect((await run("jobs", "list", "--wait-reason", "BEHIND_OTHER_WORK")).output).toContain(waiting);
  await start("worker");
  await eventually(async () => expect(await statusOf(waiting)).toBe("SUCCEEDED"));
  await until(monitor, [api], "SocialConnectJobsStuck", false);
});

test("slow database: calls that wait for a lock fail until the lock is ended", async () => {
  const connection = await linked();
  const monitor = new Monitor();
  const api = await start("api");
  const read = () => {
    const text = `query($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) {
      content(scope: $scope, connectionId: $id, window: $window) { items { id } } }`;
    const now = Date.now();
    const window = { publishedAfter: new Date(now - 86_400_000), publishedBefore: new Date(now), first: 1 };
    return query(api, real.application.key, text, { scope: real.application.scope, id: connection.id, window });
  };
  await read();
  await monitor.scrape(api);
  await read();
  await monitor.scrape(api);
  expect(monitor.fires("SocialConnectDatabaseSlow")).toBe(false);
  const locking = await real.service.pool.connect();
  onTestFinished(() => locking.release());
  await locking.query("BEGIN; LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE");
  for (const _ of ["first", "second"]) {
    const answers = await Promise.all(Array.from({ length: 4 }, read));
    expect(answers.map(({ code }) => code)).toEqual(Array(4).fill("UPSTREAM_UNAVAILABLE"));
    await monitor.scrape(api);
  }
  expect(monitor.fires("SocialConnectDatabaseSlow")).toBe(true);
  expect(monitor.fires("SocialConnectCallsFail")).toBe(true);
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
  monitor.pass();
  await monitor.scrape(api);
  await read();
  await monitor.scrape(api);
  expect(monitor.fires("SocialConnectDatabaseSlow")).toBe(false);
  expect(monitor.fires("SocialConnectCallsFail")).toBe(false);
});

test("compromised key: refused calls fire the alert, and a revoked key is refused", async () => {
  const monitor = new Monitor();
  const api = await start("api");
  const [keyId] = real.application.key.split(".");
  const guess = () => query(api, `${keyId}.${"0".repeat(64)}`, "{ integrationReadiness { idpIdentityAvailable } }");
  for (const _ of ["first", "second"]) {
    await Promise.all(Array.from({ length: 30 }, guess));
    await monitor.scrape(api);
  }
  expect(monitor.fires("SocialConnectKeysRefused")).toBe(true);
  const leaked = await createApplication(real.base, "leaked");
  const [leakedId = ""] = leaked.key.split(".");
  const useLeaked = () => query(api, leaked.key, "{ integrationReadiness { idpIdentityAvailable } }");
  expect(await useLeaked()).toMatchObject({ errors: [] });
  expect(await run("keys", "revoke", leakedId)).toMatchObject({ exitCode: 0 });
  expect(await useLeaked()).toMatchObject({ code: "UNAUTHENTICATED" });
  monitor.pass();
  await monitor.scrape(api);
  await monitor.scrape(api);
  expect(monitor.fires("SocialConnectKeysRefused")).toBe(false);
});

test("noisy application: its excess calls fire the alert, which names it", async () => {
  const monitor = new Monitor();
  const api = await start("api", { CALL_QUEUE_LENGTH: "0" });
  const call = () => query(api, real.application.key, "{ integrationReadiness { idpIdentityAvailable } }");
  for (const _ of ["first", "second"]) {
    const codes = (await Promise.all(Array.from({ length: 300 }, call))).map(({ code }) => code);
    expect(codes.filter((code) => code === "RATE_LIMITED").length).toBeGreaterThan(SCRAPE_SECONDS);
    await monitor.scrape(api);
  }
  expect(monitor.fires("SocialConnectApplicationNoisy")).toBe(true);
  monitor.pass();
  await monitor.scrape(api);
  await monitor.scrape(api);
  expect(monitor.fires("SocialConnectApplicationNoisy")).toBe(false);
});

test("wrong encryption key: a process refuses to start and names the key", async () => {
  await linked();
  const monitor = new Monitor();
  const api = await start("api");
  await monitor.scrape(api);
  expect(monitor.fires("SocialConnectProcessDown")).toBe(false);
  await stop(api);
  await monitor.scrape(api);
  expect(monitor.fires("SocialConnectProcessDown")).toBe(true);
  const wrong = {
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
    PORT: String(await reservePort()),
  };
  const refused = await runWith(wrong, "start", "--role", "api");
  expect(refused.exitCode).toBe(1);
  expect(refused.output).toMatch(/\btest\b/);
  expect((await runWith(wrong, "doctor")).output).toMatch(/encryption.+\btest\b/);
  const again = await start("api");
  await monitor.scrape(again);
  expect(monitor.fires("SocialConnectProcessDown")).toBe(false);
});
