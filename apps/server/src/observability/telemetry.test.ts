import { ROLLUP_SERIES, readClientVersion } from "@social-connect/domain";
import { expect, test } from "vitest";
import { RollupCounts } from "../modules/rollups/rollupCounts.ts";
import { createErasureLogger } from "../platform/log/logger.ts";
import type { RequestRecord } from "../platform/log/telemetry.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { Metrics } from "./metrics.ts";
import { createTelemetry } from "./telemetry.ts";

const RECORD: RequestRecord = {
  surface: "consumer",
  correlationId: "40000000-0000-4000-8000-000000000000",
  operation: "content",
  code: "OK",
  applicationId: null,
  client: null,
  workMs: 0,
};

const { client: _client, workMs: _workMs, ...LOGGED } = RECORD;

function logged(logSample: number, record: Partial<RequestRecord> = {}, level: "info" | "warn" = "info"): string[] {
  const { logger, lines } = recordingLogger(level);
  const loggers = { logger, requestLogger: logger, erasureLogger: logger };
  const telemetry = createTelemetry({
    ...loggers,
    logSample,
    metrics: null,
    tracing: null,
    rollups: new RollupCounts(),
  });
  telemetry.requestEnded({ ...RECORD, ...record }, 1.25);
  return lines;
}

test("a request is one line", () => {
  const [line, ...others] = logged(1);
  expect(others).toEqual([]);
  expect(JSON.parse(line ?? "")).toMatchObject({ level: "info", ...LOGGED, durationMs: 1.25, msg: "request" });
});

test("logs the configured part of the successful requests, decided by their id, and every failed one", () => {
  // The id begins with a quarter of the range.
  expect(logged(0.2)).toEqual([]);
  expect(logged(0.3)).toHaveLength(1);
  expect(logged(0)).toEqual([]);
  expect(logged(0, { code: "NOT_FOUND" })).toHaveLength(1);
  expect(logged(1, {}, "warn")).toEqual([]);
});

test.each([
  ["error", 1],
  ["silent", 0],
] as const)("an erasure at the log level %s is %i line", (level, count) => {
  const { logger } = recordingLogger("silent");
  const lines: string[] = [];
  const erasureLogger = createErasureLogger({ level, role: "api", destination: { write: (line) => lines.push(line) } });
  const loggers = { logger, requestLogger: logger, erasureLogger };
  const parts = { ...loggers, logSample: 1, metrics: null, tracing: null, rollups: new RollupCounts() };
  const record = { connectionId: "c", applicationId: "a", provider: "PROVIDER_A" } as const;
  createTelemetry(parts).erasure("requested", record);
  expect(lines).toHaveLength(count);
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({ level: "info", role: "api", event: "erasure.requested", ...record });
  }
});

test("counts requests of backends by library and version", async () => {
  const { logger } = recordingLogger("silent");
  const loggers = { logger, requestLogger: logger, erasureLogger: logger };
  const [metrics, rollups] = [new Metrics(), new RollupCounts()];
  const telemetry = createTelemetry({ ...loggers, logSample: 0, metrics, tracing: null, rollups });
  const ended = (header: string | null, record: Partial<RequestRecord> = {}) =>
    telemetry.requestEnded({ ...RECORD, client: readClientVersion(header), ...record }, 1);
  for (let call = 0; call < 2; call += 1) ended("sdk/1.2.3", { applicationId: "a" });
  ended("sdk/9.9.9");
  ended("admin-sdk/1.0.0", { surface: "admin" });
  ended("admin-sdk/8.8.8", { surface: "admin", code: "UNAUTHENTICATED" });
  ended('"} evil 1', { applicationId: "a" });
  ended(null, { applicationId: "a" });
  telemetry.requestEnded({ ...RECORD, surface: "panel" }, 1);
  const lines = (await metrics.text({ withState: false })).split("\n");
  expect(lines.filter((line) => line.startsWith("social_connect_client_requests_total")).toSorted()).toEqual([
    'social_connect_client_requests_total{surface="admin",library="admin-sdk",version="1.0.0"} 1',
    'social_connect_client_requests_total{surface="admin",library="admin-sdk",version="other"} 1',
    'social_connect_client_requests_total{surface="consumer",library="none",version=""} 1',
    'social_connect_client_requests_total{surface="consumer",library="other",version=""} 1',
    'social_connect_client_requests_total{surface="consumer",library="sdk",version="1.2.3"} 2',
    'social_connect_client_requests_total{surface="consumer",library="sdk",version="other"} 1',
  ]);
  const stored = rollups.take().filter(({ series }) => series === ROLLUP_SERIES.clientVersions);
  expect(stored.map(({ applicationId, kind, code, count }) => [applicationId, kind, code, count])).toEqual([
    ["a", "sdk", "1.2.3", 2],
    ["a", "other", "", 1],
    ["a", "none", "", 1],
  ]);
});
