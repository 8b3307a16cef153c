import { expect, test } from "vitest";
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
  const telemetry = createTelemetry({ logger, requestLogger: logger, logSample, metrics: null, tracing: null });
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
