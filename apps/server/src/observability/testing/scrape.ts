import { parsePrometheus } from "./prometheusText.ts";

/** A process with an address for metrics and probes. */
export interface Scraped {
  readonly operations: string;
}

/** The metrics of a process; null if it does not run. */
export async function readMetrics({ operations }: Scraped) {
  const response = await fetch(`${operations}/metrics`).catch(() => null);
  return response === null ? null : parsePrometheus(await response.text());
}
