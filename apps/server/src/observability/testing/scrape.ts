import { parsePrometheus, sumIn } from "./prometheusText.ts";

/** A process with an address for metrics and probes. */
export interface Scraped {
  readonly operations: string;
}

/** The metrics of a process; null if it does not run. */
export async function readMetrics({ operations }: Scraped) {
  const response = await fetch(`${operations}/metrics`).catch(() => null);
  return response === null ? null : parsePrometheus(await response.text());
}

/** The sum of a metric's samples with these labels in a running process. */
export async function readSum(
  process: Scraped,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const families = await readMetrics(process);
  if (families === null) throw new Error(`${process.operations} does not respond.`);
  return sumIn(families, name, labels);
}
