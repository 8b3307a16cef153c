import { type Families, sumIn } from "../../apps/server/src/observability/testing/prometheusText.ts";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { eventually } from "../../packages/testkit/src/index.ts";
import type { CountedRequests } from "./countedRequests.ts";
import type { Load } from "./load.ts";
import type { MetricsMonitor } from "./metricsMonitor.ts";

/** Metrics that every process has, and those of a role. Names of samples. */
const OF_EACH = [
  "social_connect_ready",
  "social_connect_state_read",
  "social_connect_process_info",
  "social_connect_process_cpu_seconds_total",
  "social_connect_database_connections",
  "social_connect_event_loop_delay_seconds",
  "social_connect_grants",
  "social_connect_oldest_waiting_job_age_seconds",
  "social_connect_sweep_last_success_timestamp_seconds",
];
const OF_ROLE = {
  api: ["social_connect_requests_total", "social_connect_request_duration_seconds_bucket"],
  worker: [
    "social_connect_job_attempts_total",
    "social_connect_job_attempt_duration_seconds_bucket",
    "social_connect_provider_calls_total",
  ],
} as const;
/** Metrics and logs of a request or a job follow its response. */
const LATE_MS = 5_000;
/** A killed worker takes what it counted since the last scrape with it. */
const LEAST_SHARE = 0.9;
const MOST_MISSING = 5;

/** Scrapes under load have all key metrics of every process. Returns the number of samples. */
export function checkDuringLoad(scrape: ReadonlyMap<string, Families>, processes: readonly ServiceProcess[]): number {
  let samples = 0;
  for (const { name, role } of processes) {
    const families = scrape.get(name);
    if (families === undefined) throw new Error(`the metrics of ${name} could not be read under load`);
    const all = [...families.values()].flatMap((family) => family.samples);
    const names = new Set(all.map((sample) => sample.name));
    const missing = [...OF_EACH, ...OF_ROLE[role]].filter((each) => !names.has(each));
    if (missing.length > 0) throw new Error(`${name} has no ${missing.join(", ")}`);
    if (sumIn(families, "social_connect_ready") !== 1) throw new Error(`${name} is not ready under load`);
    samples += all.length;
  }
  return samples;
}

/** What callers did, as the metrics should have counted it. */
function expectedCounts(requests: CountedRequests, loads: readonly Load[]): Map<string, number> {
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0);
  const disconnected = sum((load) => load.disconnected.length);
  const links = disconnected + sum((load) => load.linked.length);
  return new Map([
    ...[...requests.answered].map(([operation, count]) => [`request ${operation}`, count] as const),
    ["job SCAN", links + sum((load) => load.acceptedJobs.size)],
    ["job PROFILE", links],
    ["job REVOKE", disconnected],
    ["job ERASE", disconnected],
    ["code exchange", links],
  ]);
}

function countedIn(sum: (name: string, labels: Readonly<Record<string, string>>) => number, key: string): number {
  const [what, name = ""] = key.split(" ");
  if (what === "request") return sum("social_connect_requests_total", { operation: name, code: "OK" });
  if (what === "job") return sum("social_connect_job_attempts_total", { kind: name, outcome: "SUCCEEDED" });
  return sum("social_connect_provider_calls_total", { endpoint: "token", result: "ok" });
}

/** While no process ended, the metrics are exactly what callers counted. */
export async function checkCounts(
  monitor: MetricsMonitor,
  requests: CountedRequests,
  loads: readonly Load[],
): Promise<string> {
  const expected = expectedCounts(requests, loads);
  await eventually(async () => {
    await monitor.scrape();
    for (const [key, count] of expected) {
      const counted = countedIn((name, labels) => monitor.sum(name, labels), key);
      if (counted !== count)
        throw new Error(`the metrics of all processes have ${counted} of ${key}, and it is ${count}`);
    }
  }, LATE_MS);
  return `the metrics are what callers counted: ${[...expected].map(([key, count]) => `${count} ${key}`).join(", ")}`;
}

/** Over restarts, the metrics' sums are at most what callers counted, and nearly that. */
export function checkSums(
  monitor: MetricsMonitor,
  processes: readonly ServiceProcess[],
  requests: CountedRequests,
  loads: readonly Load[],
): string {
  const shares: string[] = [];
  for (const [key, count] of expectedCounts(requests, loads)) {
    const counted = countedIn((name, labels) => monitor.sum(name, labels), key);
    const isPlausible = counted <= count && counted >= Math.min(LEAST_SHARE * count, count - MOST_MISSING);
    if (!isPlausible) throw new Error(`over restarts, the metrics have ${counted} of ${key}, and it is ${count}`);
    shares.push(`${counted}/${count} ${key}`);
  }
  const scrapes = processes.map(({ name }) => `${name} ${monitor.scrapes.get(name) ?? 0}`).join(", ");
  return `over restarts the metrics have ${shares.join(", ")}; scrapes: ${scrapes}`;
}
