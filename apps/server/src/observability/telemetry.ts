import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { JOB_KINDS, ROLLUP_SERIES } from "@social-connect/domain";
import type { RollupCounts } from "../modules/rollups/rollupCounts.ts";
import { currentTrail } from "../platform/call/trail.ts";
import type { Logger } from "../platform/log/logger.ts";
import {
  type AttemptRecord,
  type DeliveryRecord,
  ERASURE_EVENTS,
  type ErasureRecord,
  type ErasureStep,
  PROVIDER_CALL_RESULTS,
  PROVIDER_ENDPOINTS,
  type ProviderCallRecord,
  type RequestRecord,
  type Telemetry,
  type Tracing,
} from "../platform/log/telemetry.ts";
import { ClientLabels } from "./clientLabels.ts";
import type { Metrics } from "./metrics.ts";

export interface TelemetryParts {
  readonly logger: Logger;
  /** For the lines of requests, which need no redaction. */
  readonly requestLogger: Logger;
  /** For the lines of erasures, which a restore of a backup needs. */
  readonly erasureLogger: Logger;
  /** The part of the successful requests that are logged, from 0 to 1. */
  readonly logSample: number;
  /** null: nothing is counted. */
  readonly metrics: Metrics | null;
  readonly tracing: Tracing | null;
  /** For the panel's charts and incidents. */
  readonly rollups: RollupCounts;
}

/** Logs, counts and traces what the edges report. */
export function createTelemetry(parts: TelemetryParts): Telemetry {
  const { logSample, metrics, tracing, rollups } = parts;
  const labels = new ClientLabels();
  const strangerLines = new LineLimit();
  if (metrics !== null) startCounters(metrics);
  return {
    tracing,
    requestEnded(record, durationMs) {
      const { surface, operation, code, applicationId, client } = record;
      rollups.add(ROLLUP_SERIES.apiCalls, { applicationId, kind: surface, code });
      metrics?.count("social_connect_requests_total", { surface, operation, code });
      metrics?.measure("social_connect_request_duration_seconds", durationMs / 1_000, { surface, operation });
      if (client !== null) {
        const { library } = client;
        const owner = applicationId ?? (surface === "admin" && code === "OK" ? surface : null);
        metrics?.count("social_connect_client_requests_total", {
          surface,
          library,
          version: labels.versionOf(client, owner),
        });
        if (applicationId !== null) {
          const version = labels.versionOfOwner(client, applicationId);
          rollups.add(ROLLUP_SERIES.clientVersions, { applicationId, kind: library, code: version });
        }
      }
      const isLogged =
        code === "OK" ? isSampled(record.correlationId, logSample) : isOfKnown(record) || strangerLines.take();
      if (isLogged && !(record.presence?.hasLeft && applicationId === null))
        logRequest(parts.requestLogger, record, durationMs);
    },
    attemptEnded(record, durationMs) {
      const { applicationId, registrationId, kind, provider, outcome, waitReason, errorCode } = record;
      const code = errorCode ?? waitReason ?? "";
      rollups.add(ROLLUP_SERIES.jobAttempts, { applicationId, registrationId, provider, kind, outcome, code });
      const labels = { kind, provider, outcome, wait_reason: waitReason ?? "" };
      metrics?.count("social_connect_job_attempts_total", labels);
      metrics?.measure("social_connect_job_attempt_duration_seconds", durationMs / 1_000, { kind, provider });
      logAttempt(parts.logger, record, durationMs);
    },
    providerCallEnded(record, durationMs) {
      const { provider, registrationId, endpoint, result } = record;
      rollups.add(ROLLUP_SERIES.providerCalls, { provider, registrationId, kind: endpoint, outcome: result });
      metrics?.count("social_connect_provider_calls_total", { provider, endpoint, result });
      metrics?.measure("social_connect_provider_call_duration_seconds", durationMs / 1_000, { provider, endpoint });
      logProviderCall(parts.logger, record, durationMs);
    },
    providerMessage({ provider, kind, result }) {
      metrics?.count("social_connect_provider_messages_total", { provider, kind, result });
    },
    deliveryEnded(record, durationMs) {
      const { outcome, problem } = record;
      metrics?.count("social_connect_event_deliveries_total", { outcome, problem: problem ?? "" });
      logDelivery(parts.logger, record, durationMs);
    },
    erasure(step, record) {
      logErasure(parts.erasureLogger, step, record);
    },
  };
}

/** Starts the series that alerts watch: the first failures count as an increase only after a scrape at 0. */
function startCounters(metrics: Metrics): void {
  for (const provider of SOCIAL_PROVIDERS) {
    for (const kind of JOB_KINDS) {
      const labels = { kind, provider, outcome: "ERROR", wait_reason: "" };
      metrics.startAtZero("social_connect_job_attempts_total", labels);
    }
    for (const endpoint of PROVIDER_ENDPOINTS) {
      for (const result of PROVIDER_CALL_RESULTS) {
        metrics.startAtZero("social_connect_provider_calls_total", { provider, endpoint, result });
      }
    }
  }
}

function logRequest(logger: Logger, record: RequestRecord, durationMs: number): void {
  const { correlationId, surface, operation, applicationId, code } = record;
  logger.info({ correlationId, surface, operation, applicationId, code, durationMs }, "request");
}

function isOfKnown({ presence, applicationId }: RequestRecord): boolean {
  return presence === undefined || presence.owner !== null || applicationId !== null;
}

/** Lines about failed requests of unknown callers. Metrics count all of them, and the security log names the refused ones. */
const MOST_LINES = 10;
const MS_PER_LINE = 10_000;

class LineLimit {
  #left = MOST_LINES;
  #at = performance.now();

  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(MOST_LINES, this.#left + (now - this.#at) / MS_PER_LINE);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** Decided by the id, so that every line of a request has the same result. */
function isSampled(correlationId: string, sample: number): boolean {
  return sample >= 1 || Number.parseInt(correlationId.slice(0, 8), 16) < sample * 0x1_0000_0000;
}

const ATTEMPT_MESSAGES: Readonly<Record<AttemptRecord["outcome"], string>> = {
  SUCCEEDED: "job succeeded",
  QUEUED: "job waits for its next attempt",
  RUNNING: "job runs",
  FAILED: "job failed",
  CANCELED: "job was canceled",
  DISCARDED: "discarded the result of a superseded job attempt",
  ERROR: "job attempt failed with an unexpected error",
};

function logAttempt(logger: Logger, record: AttemptRecord, durationMs: number): void {
  const { outcome, cause, ...fields } = record;
  const { correlationId } = currentTrail();
  const isExpected = outcome === "SUCCEEDED" || outcome === "DISCARDED" || outcome === "CANCELED";
  const level = isExpected ? "info" : "warn";
  logger[level]({ correlationId, ...fields, status: outcome, ...cause, durationMs }, ATTEMPT_MESSAGES[outcome]);
}

function logProviderCall(logger: Logger, record: ProviderCallRecord, durationMs: number): void {
  const { correlationId } = currentTrail();
  logger.debug({ correlationId, ...record, durationMs }, "provider call");
}

function logDelivery(logger: Logger, { outcome, ...record }: DeliveryRecord, durationMs: number): void {
  const { status: responseStatus, ...fields } = record;
  const level = outcome === "SUCCEEDED" || outcome === "DISCARDED" ? "info" : "warn";
  logger[level]({ ...fields, responseStatus, status: outcome, durationMs }, "event delivery");
}

function logErasure(logger: Logger, step: ErasureStep, { connectionId, applicationId, provider }: ErasureRecord): void {
  const { correlationId } = currentTrail();
  const event = ERASURE_EVENTS[step];
  logger.info({ event, correlationId, connectionId, applicationId, provider }, `erasure ${step}`);
}
