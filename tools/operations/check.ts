/**
 * Operates the packed service: installs its tarballs with npm in an empty folder, and runs two apis behind a proxy and three
 * workers on a PostgreSQL and the simulator.
 *
 *     pnpm check:operations
 *
 * First all five run undisturbed: what their metrics count is what callers and the database count, a trace leads from each
 * browser's callback to the calls of the provider, and an id leads from the api's log to a worker's. Then a worker is killed
 * in the middle of jobs and each process is restarted, under load: no request fails, and every accepted job succeeds once.
 */
import { setTimeout as delay } from "node:timers/promises";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { control } from "../../packages/testkit/src/harness/simulatorControl.ts";
import { checkEffects, checkJobs, type Killed, untilIdle } from "./checkJobs.ts";
import { checkCounts, checkDuringLoad, checkSums } from "./checkMetrics.ts";
import { checkTrails } from "./checkTrails.ts";
import { CountedRequests } from "./countedRequests.ts";
import { type RunningDeployment, startDeployment } from "./deployment.ts";
import { type Installation, installService } from "./installation.ts";
import { Load, untilSucceeded, whileLoaded } from "./load.ts";
import { MetricsMonitor } from "./metricsMonitor.ts";
import { type Check, runCheck } from "./runCheck.ts";

/** How long all processes run undisturbed under load. */
const CALM_MS = 6_000;
const SCRAPE_MS = 500;
/** Of one provider and one application, which has three slots in each of the three workers. */
const SLOW_JOBS = 12;
const SLOW_PROVIDER = "PROVIDER_A";
const SLOW_MS = 6_000;
/** Two workers run at most six, so the third runs at least one. */
const RUNNING_AT_KILL = 7;

async function main({ folder, shutdown, say }: Check): Promise<void> {
  const installation = await installService(folder);
  const sizes = installation.tarballs.map(({ name, bytes }) => `${name} ${Math.round(bytes / 1_024)} KB`);
  say(`installed in an empty folder: ${sizes.join(", ")}`);
  const deployment = await startDeployment([installation.command], folder, shutdown);
  say(`${deployment.processes.map(({ name }) => name).join(", ")} are ready behind the proxy`);
  const requests = new CountedRequests();
  await operate(installation, deployment, requests, say).catch((error: Error) => {
    requests.requireNoFailure();
    throw error;
  });
}

async function operate(
  { sdk }: Installation,
  deployment: RunningDeployment,
  requests: CountedRequests,
  say: (line: string) => void,
): Promise<void> {
  const { addresses, applications, processes, proxy } = deployment;
  const loadOf = (name: "demo" | "other"): Load => {
    const application = applications[name];
    const client = new sdk.SocialConnect({ baseUrl: addresses.server, key: application.key, fetch: requests.fetch });
    return new Load({ name, client, application, requests, deployment });
  };
  const load = loadOf("demo");
  const batch = loadOf("other");
  const monitor = new MetricsMonitor(processes);

  await Promise.all([load.prepare(), linkSlowAccounts(batch)]);
  const during = await whileLoaded(load, async () => {
    await delay(CALM_MS / 2);
    const scrape = await monitor.scrape();
    await delay(CALM_MS / 2);
    return scrape;
  });
  requests.requireNoFailure();
  say(`${requests.total} requests, none failed; ${load.acceptedJobs.size} refreshes`);
  const series = checkDuringLoad(during, processes);
  say(`the metrics of all five were read under load: ${series} series`);
  const loads = [load, batch];
  say(await checkCounts(monitor, requests, loads));
  say(await checkTrails(deployment, loads.flatMap(({ linked, disconnected }) => [...linked, ...disconnected]).length));

  const killed = await whileLoaded(load, () =>
    whileScraped(monitor, () => killAndRestart(deployment, batch, monitor, say)),
  );
  await untilIdle(deployment);
  await monitor.scrape();
  requests.requireNoFailure();
  if (proxy.counts.some((count) => count === 0)) throw new Error("an api had no requests");
  say(
    `${requests.total} requests (${proxy.counts.join(" and ")} by the two apis), none failed, while a worker was killed and all five restarted`,
  );
  say(checkSums(monitor, processes, requests, loads));
  say(await checkJobs(deployment, loads, killed));
  say(await checkEffects(deployment, loads));
}

async function linkSlowAccounts(batch: Load): Promise<void> {
  for (let count = 0; count < SLOW_JOBS; count += 4) {
    await Promise.all(Array.from({ length: 4 }, () => batch.link(SLOW_PROVIDER)));
  }
}

/** Scrapes while the work runs. */
async function whileScraped<Result>(monitor: MetricsMonitor, work: () => Promise<Result>): Promise<Result> {
  let isDone = false;
  const scraping = async (): Promise<void> => {
    while (!isDone) {
      await monitor.scrape();
      await delay(SCRAPE_MS);
    }
  };
  const working = work().finally(() => {
    isDone = true;
  });
  const [result] = await Promise.all([working, scraping()]);
  return result;
}

/** Kills a worker while it runs slow jobs, then restarts each process. */
async function killAndRestart(
  { addresses, database, processes }: RunningDeployment,
  batch: Load,
  monitor: MetricsMonitor,
  say: (line: string) => void,
): Promise<Killed> {
  for (const { name } of batch.linked) {
    await control(addresses.simulator, "POST", "/faults", {
      provider: providerSlug(SLOW_PROVIDER),
      account: name,
      fault: { kind: "delay", delayMs: SLOW_MS },
    });
  }
  const slow = await Promise.all(batch.linked.map((account) => batch.requestRead(account)));
  const ids = slow.map(({ id }) => id);
  const running = await untilRunning(database.pool, ids);
  const victim = processes.at(-1);
  if (victim === undefined) throw new Error("there is no worker");
  await victim.kill();
  monitor.ended(victim.name);
  say(`${victim.name} was killed while ${running.length} slow jobs ran`);
  await victim.start();
  for (const each of processes) {
    const stopMs = await each.stop();
    monitor.ended(each.name);
    await each.start();
    say(`${each.name} was restarted; it stopped within ${(stopMs / 1_000).toFixed(1)} s`);
  }
  await Promise.all(slow.map(untilSucceeded));
  return { process: victim, running };
}

async function untilRunning(
  pool: RunningDeployment["database"]["pool"],
  ids: readonly (string | undefined)[],
): Promise<string[]> {
  for (;;) {
    const { rows } = await pool.query<{ id: string; status: string }>(
      "SELECT id, status::text FROM job WHERE id = ANY ($1::uuid[])",
      [ids],
    );
    const running = rows.filter(({ status }) => status === "RUNNING").map(({ id }) => id);
    if (running.length >= RUNNING_AT_KILL) return running;
    if (rows.every(({ status }) => status === "SUCCEEDED")) throw new Error("the slow jobs ended one after another");
    await delay(20);
  }
}

await runCheck("operations", main);
