import { expect, test } from "vitest";
import { RollupCounts } from "../modules/rollups/rollupCounts.ts";
import { createErasureLogger } from "../platform/logger.ts";
import type { RequestRecord } from "../platform/telemetry.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { createTelemetry } from "./telemetry.ts";

const RECORD: RequestRecord = {
  surface: "consumer",
  correlationId: "40000000-0000-4000-8000-000000000000",
  operation: "content",
  code: "OK",
  applicationId: null,
};

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
  expect(JSON.parse(line ?? "")).toMatchObject({ level: "info", ...RECORD, durationMs: 1.25, msg: "request" });
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
