import type { Settings } from "../config/settings.ts";
import { RollupCounts } from "../modules/rollups/rollupCounts.ts";
import { type RollupWriter, startRollupWriter } from "../modules/rollups/rollupWriter.ts";
import type { Service } from "../modules/service.ts";
import { lineOutput } from "../platform/log/lineOutput.ts";
import { overload } from "../platform/log/overload.ts";
import { securityLog } from "../platform/log/securityLog.ts";
import type { Telemetry } from "../platform/log/telemetry.ts";
import { freeBytes } from "../platform/process/freeBytes.ts";
import { observeDatabase } from "./databaseState.ts";
import type { Observation, Scrape } from "./metrics.ts";
import { observeProcess, type ProcessParts } from "./processState.ts";
import { createTelemetry, type TelemetryParts } from "./telemetry.ts";

/** What metrics are read from, once it has started. */
export interface Observed extends Omit<ProcessParts, "info" | "breakers" | "security" | "overload" | "outputs"> {
  readonly service: Service;
  readonly isReady: () => Promise<boolean>;
  /** The folder of the embedded database; null without one. */
  readonly dataFolder: string | null;
}

/** Logs, metrics and traces of a process. */
export interface Observability {
  readonly telemetry: Telemetry;
  /** Metrics in Prometheus' text format; null without a port for them. */
  readonly metrics: ((scrape: Scrape) => Promise<string>) | null;
  watch(observed: Observed): void;
  /** Writes what the process counts to its database, until the writer is stopped. */
  writeCounts(service: Service): RollupWriter;
  stop(): Promise<void>;
}

type ObservabilitySettings = Pick<Settings, "role" | "logSample" | "operations" | "tracing">;

export async function startObservability(
  { role, logSample, operations, tracing: tracingSettings }: ObservabilitySettings,
  loggers: Pick<TelemetryParts, "logger" | "requestLogger" | "erasureLogger">,
): Promise<Observability> {
  // The libraries take memory and time to load, also where they are not used.
  const metrics = operations === null ? null : new (await import("./metrics.ts")).Metrics();
  const tracing =
    tracingSettings && (await (await import("./tracing.ts")).startTracing(tracingSettings, role, loggers.logger));
  const rollups = new RollupCounts();
  let stopWatching: (() => void) | null = null;
  return {
    telemetry: createTelemetry({ ...loggers, logSample, metrics, tracing, rollups }),
    metrics: metrics && ((scrape) => metrics.text(scrape)),
    watch: ({ service, isReady, dataFolder, ...parts }) => {
      if (metrics === null) return;
      const info = { role, node: process.versions.node };
      const outputs = {
        stdout: lineOutput("stdout"),
        stderr: lineOutput("stderr"),
        ...(tracing && { traces: tracing.dropped }),
      };
      const { breakers, logger } = service;
      const ofLogger = { security: securityLog(service), overload: overload(logger) };
      const ownProcess = observeProcess({ ...parts, info, breakers, ...ofLogger, outputs });
      const readState = observeDatabase(service);
      stopWatching = ownProcess.stop;
      metrics.observe(async ({ withState }) => [
        ...ownProcess.read(),
        { name: "social_connect_ready", value: (await isReady()) ? 1 : 0, labels: {} },
        ...(dataFolder === null ? [] : [await readFreeBytes(dataFolder)]),
        ...(withState ? await readState() : []),
      ]);
    },
    writeCounts: (service) => startRollupWriter(service, rollups),
    stop: async () => {
      stopWatching?.();
      await tracing?.stop();
    },
  };
}

async function readFreeBytes(folder: string): Promise<Observation> {
  return { name: "social_connect_data_folder_free_bytes", value: await freeBytes(folder), labels: {} };
}
