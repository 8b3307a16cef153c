/**
 * Spans are sent in the turn that they belong to, when there are enough of them: in batches of 100 instead of 512, so the cost
 * is not less than by default.
 */
const TRACES = {
  METRICS_PORT: "1",
  OTEL_BSP_SCHEDULE_DELAY: "600000",
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "100",
} as const;

/** Ways to observe a process, whose costs are compared. */
export const KINDS = {
  off: { OTEL_TRACES_EXPORTER: "none" },
  // The control: its difference from the first is that of the measurement.
  "off again": { OTEL_TRACES_EXPORTER: "none" },
  metrics: { METRICS_PORT: "1", OTEL_TRACES_EXPORTER: "none" },
  "metrics, traces": TRACES,
  "metrics, each request traced": { ...TRACES, OTEL_TRACES_SAMPLER: "always_on" },
  "request lines": { LOG_LEVEL: "info", OTEL_TRACES_EXPORTER: "none" },
} as const satisfies Record<string, Record<string, string>>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** From the benchmark to the process: how it is observed from now on. The process answers with the same message. */
export interface Switch {
  readonly kind: KindName;
}
