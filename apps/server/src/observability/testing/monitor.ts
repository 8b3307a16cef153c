import { readFileSync } from "node:fs";
import { eventually } from "@social-connect/testkit";
import { expect } from "vitest";
import { parse } from "yaml";
import { parsePrometheus } from "./prometheusText.ts";
import { evaluate, type Result, type Scrape } from "./promQl.ts";

const RULES = new URL("../../../../../deploy/prometheus/alerts.yml", import.meta.url);
const SCRAPE_SECONDS = 10;
const WINDOW_SECONDS = 1_000;

const { groups } = parse(readFileSync(RULES, "utf8")) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
const expressions = new Map(groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr])));

/** A process with an address for metrics and probes. */
export interface Scraped {
  readonly operations: string;
}

/** Scrapes of processes, at artificial times, so that no test waits for a window to pass. */
export class Monitor {
  readonly #scrapes: Scrape[] = [];
  #atSeconds = Date.now() / 1_000;

  async scrape(...processes: readonly Scraped[]): Promise<void> {
    const samples = await Promise.all(
      processes.map(async ({ operations }) => {
        const labels = { job: "social-connect", instance: operations };
        const families = await readMetrics(operations);
        if (families === null) return [{ name: "up", labels, value: 0 }];
        const own = [...families.values()].flatMap((family) => family.samples);
        return [
          { name: "up", labels, value: 1 },
          ...own.map((sample) => ({ ...sample, labels: { ...sample.labels, ...labels } })),
        ];
      }),
    );
    this.#scrapes.push({ atSeconds: this.#atSeconds, samples: samples.flat() });
    this.#atSeconds += SCRAPE_SECONDS;
  }

  /** Lets every window of a rule pass. */
  pass(): void {
    this.#atSeconds += WINDOW_SECONDS;
  }

  /** What an alert fires for. */
  firing(alert: string): readonly Result[] {
    const expression = expressions.get(alert);
    if (expression === undefined) throw new Error(`There is no alert ${alert}.`);
    return evaluate(expression, this.#scrapes);
  }

  fires(alert: string): boolean {
    return this.firing(alert).length > 0;
  }
}

export async function readMetrics(operations: string) {
  const response = await fetch(`${operations}/metrics`).catch(() => null);
  return response === null ? null : parsePrometheus(await response.text());
}

/** Scrapes until the alert fires or is silent: metrics of the database's state are read every 15 seconds. */
export async function until(
  monitor: Monitor,
  processes: readonly Scraped[],
  alert: string,
  fires: boolean,
): Promise<void> {
  await eventually(async () => {
    await monitor.scrape(...processes);
    expect(monitor.fires(alert), alert).toBe(fires);
  });
}
