import { existsSync, readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { testClock } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { RollupCounts } from "../modules/rollups/rollupCounts.ts";
import { SecurityLog } from "../platform/log/securityLog.ts";
import type { AttemptRecord, ProviderCallRecord } from "../platform/log/telemetry.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { ProviderBreakers } from "../providers/breakers.ts";
import { INSTRUMENTS } from "./instruments.ts";
import { Metrics } from "./metrics.ts";
import { observeProcess } from "./processState.ts";
import { createTelemetry } from "./telemetry.ts";
import { type Labels, parsePrometheus, samplesIn, sumIn } from "./testing/prometheusText.ts";

/** Names of the metrics in an expression. Throws if it is not PromQL. */
function metricsIn(expression: string): string[] {
  const names = new Set<string>();
  parser.parse(expression).iterate({
    enter: ({ name, from, to }) => {
      if (name === "⚠") throw new Error(`Not PromQL: ${expression.slice(0, from)} >> ${expression.slice(from)}`);
      if (name === "Identifier") names.add(expression.slice(from, to));
    },
  });
  return [...names];
}

const ROOT = new URL("../../../../", import.meta.url);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string; readonly runbook: string };
  readonly annotations: { readonly summary: string };
}

const { groups } = parse(readText("deploy/prometheus/alerts.yml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { tests: unitTests } = parse(readText("deploy/prometheus/alerts.test.yml")) as {
  tests: { input_series: { series: string }[]; promql_expr_test: { exp_samples: { labels: string }[] }[] }[];
};
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

test("the unit tests of the rules cover every alert with metrics that exist", () => {
  const [{ input_series: series = [], promql_expr_test: expected = [] } = {}] = unitTests;
  expect(series.flatMap(({ series: selector }) => metricsIn(selector)).filter((name) => !PRODUCED.has(name))).toEqual(
    [],
  );
  const firing = expected.flatMap(({ exp_samples: samples }) => samples.map(({ labels }) => labels));
  for (const { alert } of rules) expect(firing.join("\n"), alert).toContain(`alertname="${alert}"`);
});

/** Prometheus sees the first event of a process only if the counter was there before, at 0. */
test.each<[metric: string, labels: Labels, what: string, (process: ObservedProcess) => unknown]>([
  [
    "social_connect_job_attempts_total",
    { outcome: "ERROR" },
    "failed attempt",
    ({ telemetry }) => telemetry.attemptEnded(FAILED_ATTEMPT, 1),
  ],
  [
    "social_connect_provider_calls_total",
    { result: "timeout" },
    "failed call",
    ({ telemetry }) => telemetry.providerCallEnded(FAILED_CALL, 1),
  ],
  [
    "social_connect_database_errors_total",
    { sqlstate: "53100" },
    "failed write",
    ({ databaseErrors }) => databaseErrors.set("53100", 1),
  ],
  [
    "social_connect_security_events_total",
    { event: "deauthorization.refused" },
    "forged request",
    ({ security }) => security.record(...FORGED_REQUEST),
  ],
])("%s with %o is 0 before the first %s, then 1", async (metric, labels, _, report) => {
  const process = observedProcess();
  const before = await process.families();
  expect(samplesIn(before, metric, labels)).not.toEqual([]);
  expect(sumIn(before, metric, labels)).toBe(0);
  report(process);
  expect(sumIn(await process.families(), metric, labels)).toBe(1);
});

const FAILED_ATTEMPT: AttemptRecord = {
  jobId: "job",
  kind: "SCAN",
  provider: "PROVIDER_A",
  applicationId: "application",
  connectionId: "connection",
  registrationId: "registration",
  attempt: 1,
  outcome: "ERROR",
  waitReason: null,
  nextRetryAt: null,
  errorCode: null,
  cause: null,
};
const FAILED_CALL: ProviderCallRecord = {
  provider: "PROVIDER_A",
  registrationId: "registration",
  endpoint: "api",
  method: "GET",
  status: null,
  result: "timeout",
};
const FORGED_REQUEST = [
  "deauthorization.refused",
  { provider: null, reason: "signature", address: "192.0.2.7" },
] as const;

type ObservedProcess = ReturnType<typeof observedProcess>;

/** Counts what is reported, as a process does. */
function observedProcess() {
  const metrics = new Metrics();
  const { logger } = recordingLogger("silent");
  const security = new SecurityLog(logger);
  const databaseErrors = new Map<string, number>();
  const parts = { pools: {}, calls: {}, outputs: {}, adminCalls: {}, info: { role: "both", node: "24.0.0" } };
  const breakers = new ProviderBreakers({ clock: testClock(), logger });
  const { read, stop } = observeProcess({ ...parts, databaseErrors: [databaseErrors], breakers, security });
  onTestFinished(stop);
  metrics.observe(async () => read());
  const loggers = { logger, requestLogger: logger, erasureLogger: logger };
  const telemetry = createTelemetry({ ...loggers, logSample: 1, metrics, tracing: null, rollups: new RollupCounts() });
  const families = async () => parsePrometheus(await metrics.text({ withState: false }));
  return { telemetry, security, databaseErrors, families };
}
