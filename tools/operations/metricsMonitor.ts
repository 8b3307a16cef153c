import {
  type Families,
  hasLabels,
  type Labels,
  parsePrometheus,
} from "../../apps/server/src/observability/testing/prometheusText.ts";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";

interface Counter {
  readonly name: string;
  readonly labels: Labels;
  value: number;
}

/** Scrapes processes as Prometheus does, and adds up their counters over restarts. */
export class MetricsMonitor {
  /** Successful scrapes of each process. */
  readonly scrapes = new Map<string, number>();
  readonly #processes: readonly ServiceProcess[];
  /** Values of the running processes, and the last values of ended ones. */
  readonly #running = new Map<string, readonly Counter[]>();
  readonly #ended: Counter[] = [];

  constructor(processes: readonly ServiceProcess[]) {
    this.#processes = processes;
  }

  /** Metrics by process. Throws if the text of a process is not in Prometheus' format; a process that is down is absent. */
  async scrape(): Promise<ReadonlyMap<string, Families>> {
    const found = new Map<string, Families>();
    const scrapeOne = async ({ name, operations }: ServiceProcess): Promise<void> => {
      const response = await fetch(`${operations}/metrics`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
      const text = await response?.text().catch(() => null);
      if (text == null) return;
      const families = parsePrometheus(text);
      // A process that starts has none.
      if (families.size === 0) return;
      found.set(name, families);
      this.scrapes.set(name, (this.scrapes.get(name) ?? 0) + 1);
      this.#running.set(name, countersIn(families));
    };
    await Promise.all(this.#processes.map(scrapeOne));
    return found;
  }

  /** A process has ended: the next one counts from 0. */
  ended(name: string): void {
    this.#ended.push(...(this.#running.get(name) ?? []));
    this.#running.delete(name);
  }

  /** The sum of a counter over all processes, including ended ones. */
  sum(name: string, labels: Labels = {}): number {
    return [...this.#ended, ...[...this.#running.values()].flat()]
      .filter((counter) => counter.name === name && hasLabels(counter, labels))
      .reduce((sum, { value }) => sum + value, 0);
  }
}

function countersIn(families: Families): Counter[] {
  return [...families.values()].filter(({ type }) => type === "counter").flatMap(({ samples }) => samples);
}
