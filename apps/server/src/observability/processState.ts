import { monitorEventLoopDelay } from "node:perf_hooks";
import type pg from "pg";
import type { LaneCounts } from "../platform/load/fairShare.ts";
import { DROP_REASONS, type DropReason } from "../platform/log/lineOutput.ts";
import type { Overload } from "../platform/log/overload.ts";
import type { SecurityLog } from "../platform/log/securityLog.ts";
import type { ProviderBreakers } from "../providers/breakers.ts";
import { ApplicationLabels } from "./applicationLabels.ts";
import type { Observation } from "./metrics.ts";

/** What a process knows of itself. */
export interface ProcessParts {
  readonly info: { readonly role: string; readonly node: string };
  readonly pools: Readonly<Record<string, pg.Pool>>;
  /** Errors that PostgreSQL reported, by SQLSTATE, of each set of connections. */
  readonly databaseErrors: readonly ReadonlyMap<string, number>[];
  /** Counts calls whose owners are applications, by lane; empty in a worker. */
  readonly calls: Readonly<Record<string, { counts(): LaneCounts }>>;
  /** The same for admins, who have no label. */
  readonly adminCalls: Readonly<Record<string, { counts(): LaneCounts }>>;
  readonly breakers: ProviderBreakers;
  readonly security: Pick<SecurityLog, "counts">;
  /** Dropped lines and spans, of each output. */
  readonly outputs: Readonly<Record<string, { counts(): ReadonlyMap<DropReason, number> }>>;
  readonly overload?: Pick<Overload, "counts">;
}

/** The label of admins' calls. */
const ADMINS = "admins";
const QUANTILES = [
  ["0.5", 50],
  ["0.99", 99],
  ["1", 100],
] as const;

/** Reads the values that this process keeps in memory. */
export function observeProcess(parts: ProcessParts): { readonly read: () => Observation[]; readonly stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const applications = new ApplicationLabels();
  return {
    read: () => [
      { name: "social_connect_process_info", value: 1, labels: parts.info },
      ...Object.entries(parts.calls).flatMap(([lane, each]) => calls(lane, each.counts(), applications)),
      ...Object.entries(parts.adminCalls).flatMap(([lane, each]) => calls(lane, each.counts(), null)),
      ...Object.entries(parts.pools).flatMap(([pool, each]) => connections(pool, each)),
      ...databaseErrors(parts.databaseErrors),
      ...[...parts.breakers.counts()].map(
        ([registration, { state }]): Observation => ({
          name: "social_connect_provider_calls_paused",
          value: state === "closed" ? 0 : 1,
          labels: { registration },
        }),
      ),
      ...[...parts.security.counts()].map(
        ([event, value]): Observation => ({ name: "social_connect_security_events_total", value, labels: { event } }),
      ),
      ...droppedOutput(parts.outputs),
      ...[...(parts.overload?.counts() ?? [])].map(
        ([what, value]): Observation => ({ name: "social_connect_overload_refusals_total", value, labels: { what } }),
      ),
      ...eventLoop(delay),
      ...resources(),
    ],
    stop: () => void delay.disable(),
  };
}

function calls(
  lane: string,
  { inProgress, waiting, refused }: LaneCounts,
  applications: ApplicationLabels | null,
): Observation[] {
  const sums = (numbers: ReadonlyMap<string, number>) =>
    applications === null
      ? new Map(numbers.size === 0 ? [] : [[ADMINS, [...numbers.values()].reduce((sum, each) => sum + each, 0)]])
      : applications.sums(numbers);
  const observed = (name: CallMetric, numbers: ReadonlyMap<string, number>): Observation[] =>
    [...numbers].map(([application, value]) => ({ name, value, labels: { lane, application } }));
  return [
    ...observed("social_connect_calls_in_progress", sums(inProgress)),
    ...observed("social_connect_calls_waiting", sums(waiting)),
    ...observed("social_connect_calls_refused_total", sums(refused)),
  ];
}

type CallMetric =
  | "social_connect_calls_in_progress"
  | "social_connect_calls_waiting"
  | "social_connect_calls_refused_total";

function connections(pool: string, { options, totalCount, idleCount, waitingCount }: pg.Pool): Observation[] {
  const used = totalCount - idleCount;
  return [
    { name: "social_connect_database_connections", value: used, labels: { pool, state: "used" } },
    { name: "social_connect_database_connections", value: idleCount, labels: { pool, state: "idle" } },
    { name: "social_connect_database_connections_max", value: options.max, labels: { pool } },
    { name: "social_connect_database_connection_waiters", value: waitingCount, labels: { pool } },
  ];
}

/** PostgreSQL cannot write to its disk. Reported from the start, so that an alert sees the first error. */
const DISK_FULL = "53100";

function databaseErrors(counted: ProcessParts["databaseErrors"]): Observation[] {
  const sums = new Map([[DISK_FULL, 0]]);
  for (const [sqlState, count] of counted.flatMap((errors) => [...errors]))
    sums.set(sqlState, (sums.get(sqlState) ?? 0) + count);
  return [...sums].map(([sqlstate, value]) => ({
    name: "social_connect_database_errors_total",
    value,
    labels: { sqlstate },
  }));
}

/** Reported from the start, so that an alert sees the first one. */
export function droppedOutput(outputs: ProcessParts["outputs"]): Observation[] {
  return Object.entries(outputs).flatMap(([output, dropped]) =>
    DROP_REASONS.map((reason): Observation => {
      const value = dropped.counts().get(reason) ?? 0;
      return { name: "social_connect_output_dropped_total", value, labels: { output, reason } };
    }),
  );
}

const NANOSECONDS = 1_000_000_000;
/** The loop's timer is due after this time, which its histogram includes. */
const RESOLUTION_MS = 10;

function eventLoop(delay: ReturnType<typeof monitorEventLoopDelay>): Observation[] {
  const observed = QUANTILES.map(([quantile, percentile]): Observation => {
    // Without a sample since the last scrape it is not a number.
    const value =
      delay.count === 0 ? 0 : Math.max(0, delay.percentile(percentile) / NANOSECONDS - RESOLUTION_MS / 1_000);
    return { name: "social_connect_event_loop_delay_seconds", value, labels: { quantile } };
  });
  delay.reset();
  return observed;
}

function resources(): Observation[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    { name: "social_connect_process_cpu_seconds_total", value: (user + system) / 1_000_000, labels: {} },
    { name: "social_connect_process_memory_bytes", value: rss, labels: { kind: "resident" } },
    { name: "social_connect_process_memory_bytes", value: heapUsed, labels: { kind: "heap" } },
  ];
}
