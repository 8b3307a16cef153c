import { METRIC_NAMES, type MetricName, type ObservationReason } from "@social-connect/contract";
import type { MetricReading, ProviderSession, ProviderTraits } from "./contract.ts";

export type MetricReadings = Readonly<Record<MetricName, Omit<MetricReading, "name">>>;
type Reading = MetricReadings[MetricName];

/** The provider's value, or UNAVAILABLE with the reason. */
export function reading(
  value: string | null,
  sourceField: string | null,
  reasonWhenAbsent: ObservationReason = "METRIC_NOT_GIVEN",
): Reading {
  return value === null
    ? { value: null, availability: "UNAVAILABLE", reason: reasonWhenAbsent, sourceField }
    : { value, availability: "AVAILABLE", reason: null, sourceField };
}

export const NOT_OFFERED: Reading = {
  value: null,
  availability: "UNSUPPORTED",
  reason: "METRIC_NOT_OFFERED",
  sourceField: null,
};
export const METRIC_NOT_GRANTED: Reading = {
  value: null,
  availability: "NOT_GRANTED",
  reason: "NOT_GRANTED",
  sourceField: null,
};

/** One entry per metric, in the contract's order. */
export function inOrder(readings: MetricReadings): MetricReading[] {
  return METRIC_NAMES.map((name) => ({ name, ...readings[name] }));
}

/** The state of metrics that were not granted: the provider is not called. */
export function notGrantedMetrics(traits: ProviderTraits): MetricReading[] {
  return METRIC_NAMES.map((name) => ({
    name,
    ...(traits.metrics[name] === "UNSUPPORTED" ? NOT_OFFERED : METRIC_NOT_GRANTED),
  }));
}

/** `ask`: fetch them. `not-granted`: requested, but the grant lacks the capability. `none`: not requested. */
export type MetricsMode = "ask" | "not-granted" | "none";

export function metricsMode(session: ProviderSession, withMetrics: boolean): MetricsMode {
  if (!withMetrics) return "none";
  return session.capabilities.includes("CONTENT_METRICS") ? "ask" : "not-granted";
}
