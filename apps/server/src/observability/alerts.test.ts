import { existsSync, readFileSync } from "node:fs";
import { TestClock } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { RollupCounts } from "../modules/rollups/rollupCounts.ts";
import { SecurityLog } from "../platform/securityLog.ts";
import type { AttemptRecord, ProviderCallRecord } from "../platform/telemetry.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { ProviderBreakers } from "../providers/breakers.ts";
import { INSTRUMENTS } from "./instruments.ts";
import { Metrics } from "./metrics.ts";
import { observeProcess } from "./processState.ts";
import { createTelemetry } from "./telemetry.ts";
import { parsePrometheus } from "./testing/prometheusText.ts";
import { evaluate, metricsIn, type Scrape } from "./testing/promQl.ts";

const ROOT = new URL("../../../../", import.meta.url);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string; readonly runbook: string };
  readonly annotations: { readonly summary: string };
}

const { groups } = parse(readText("deploy/prometheus/alerts.yml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readText("deploy/grafana/social-connect.json")) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const charts = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

function readText(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

/** Names of the samples that the service produces, and the sample that Prometheus adds. */
const PRODUCED: ReadonlySet<string> = new Set([
  "up",
  ...Object.entries(INSTRUMENTS).flatMap(([name, { kind }]) =>
    kind === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
]);

test.each(rules)(
  "the metrics of the alert $alert exist, and its runbook names it",
  ({ alert, expr, labels, annotations }) => {
    expect(metricsIn(expr).filter((name) => !PRODUCED.has(name))).toEqual([]);
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.summary).not.toBe("");
    const page = `docs/operations/runbooks/${labels.runbook}.md`;
    expect(existsSync(new URL(page, ROOT)), page).toBe(true);
    expect(readText(page)).toContain(alert);
    expect(readText("docs/operations/runbooks/README.md")).toContain(alert);
  },
);

test.each(charts)("the metrics of the chart $title exist: $expr", ({ expr }) => {
  const names = metricsIn(expr);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !PRODUCED.has(name))).toEqual([]);
});

test("every metric is in a chart or in an alert", () => {
  const shown = new Set([...rules, ...charts].flatMap(({ expr }) => metricsIn(expr)));
  const withoutPart = (name: string) => name.replace(/_(?:bucket|sum|count)$/, "");
  const used = new Set([...shown].flatMap((name) => [name, withoutPart(name)]));
  const unused = Object.keys(INSTRUMENTS).filter((name) => !used.has(name));
  expect(unused).toEqual([
    "social_connect_database_connections_max",
    "social_connect_process_info",
    "social_connect_state_read",
  ]);
});

test.each([
  [5e8, 1],
  [5e9, 0],
])("a disk with %d free bytes fires %i alerts", (value, count) => {
  const { expr = "" } = rules.find(({ alert }) => alert === "SocialConnectDiskFull") ?? {};
  const samples = [{ name: "social_connect_data_folder_free_bytes", labels: { instance: "one" }, value }];
  expect(evaluate(expr, [{ atSeconds: 0, samples }])).toHaveLength(count);
});

test.each<[alert: string, what: string, repeat: number, (process: ObservedProcess) => unknown]>([
  ["SocialConnectJobsError", "failed attempts", 4, ({ telemetry }) => telemetry.attemptEnded(FAILED_ATTEMPT, 1)],
  ["SocialConnectProviderFails", "failed calls", 1, ({ telemetry }) => telemetry.providerCallEnded(FAILED_CALL, 1)],
  ["SocialConnectDatabaseDiskFull", "failed writes", 1, ({ databaseErrors }) => databaseErrors.set("53100", 1)],
  ["SocialConnectBrowserAttack", "forged requests", 21, ({ security }) => security.record(...FORGED_REQUEST)],
])("%s fires for the first %s of a process", async (alert, _, repeat, report) => {
  const { expr = "" } = rules.find((rule) => rule.alert === alert) ?? {};
  const process = observedProcess();
  const scrapes: Scrape[] = [{ atSeconds: 0, samples: await process.samples() }];
  scrapes.push({ atSeconds: 15, samples: await process.samples() });
  expect(evaluate(expr, scrapes)).toEqual([]);
  for (let count = 0; count < repeat; count += 1) report(process);
  scrapes.push({ atSeconds: 30, samples: await process.samples() });
  expect(evaluate(expr, scrapes)).toHaveLength(1);
});

const FAILED_ATTEMPT: AttemptRecord = {
  jobId: "job",
  kind: "SCAN",
  provider: "PROVIDER_A",
  applicationId: "application",
  connectionId: "connection",
  attempt: 1,
  outcome: "ERROR",
  waitReason: null,
  nextRetryAt: null,
  errorCode: null,
  cause: null,
};
const FAILED_CALL: ProviderCallRecord = {
  provider: "PROVIDER_A",
  endpoint: "api",
  method: "GET",
  status: null,
  result: "timeout",
};
const FORGED_REQUEST = ["deauthorization.refused", { provider: null, address: "192.0.2.7" }] as const;

type ObservedProcess = ReturnType<typeof observedProcess>;

/** Counts what is reported, as a process does. */
function observedProcess() {
  const metrics = new Metrics();
  const { logger } = recordingLogger("silent");
  const security = new SecurityLog(logger);
  const databaseErrors = new Map<string, number>();
  const parts = { pools: {}, calls: {}, adminCalls: {}, info: { role: "both", node: "24.0.0" } };
  const breakers = new ProviderBreakers({ clock: new TestClock(), logger });
  const { read, stop } = observeProcess({ ...parts, databaseErrors: [databaseErrors], breakers, security });
  onTestFinished(stop);
  metrics.observe(async () => read());
  const loggers = { logger, requestLogger: logger, erasureLogger: logger };
  const telemetry = createTelemetry({ ...loggers, logSample: 1, metrics, tracing: null, rollups: new RollupCounts() });
  const samples = async () =>
    [...parsePrometheus(await metrics.text({ withState: false })).values()].flatMap((family) => family.samples);
  return { telemetry, security, databaseErrors, samples };
}

test("a profile that is too old, a failing sweep and a late one fire their alerts", () => {
  const sample = (name: string, value: number, labels: Readonly<Record<string, string>>) => [
    { atSeconds: 1_000_000, samples: [{ name, labels, value }] },
  ];
  const fires = (alert: string, scrapes: ReturnType<typeof sample>) =>
    evaluate(rules.find((rule) => rule.alert === alert)?.expr ?? "", scrapes).length > 0;
  const age = (days: number) =>
    sample("social_connect_oldest_observation_age_seconds", days * 86_400, { of: "profile" });
  expect([fires("SocialConnectDataTooOld", age(30)), fires("SocialConnectDataTooOld", age(32))]).toEqual([false, true]);
  const failing = (value: number) => sample("social_connect_sweep_failing", value, { sweep: "one" });
  expect([fires("SocialConnectSweepFails", failing(0)), fires("SocialConnectSweepFails", failing(1))]).toEqual([
    false,
    true,
  ]);
  const succeeded = (at: number) => sample("social_connect_sweep_last_success_timestamp_seconds", at, { sweep: "one" });
  expect([fires("SocialConnectSweepLate", succeeded(999_000)), fires("SocialConnectSweepLate", succeeded(0))]).toEqual([
    false,
    true,
  ]);
});
