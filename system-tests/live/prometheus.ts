import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { eventually } from "../../packages/testkit/src/index.ts";
import { DEPLOY, freePort, startProxy } from "../proxies/proxies.ts";
import type { Pages } from "./pages.ts";

const PATIENCE_MS = 180_000;
const POLL_MS = 500;

/** Whether Debian's package `prometheus` is installed. */
export const hasPrometheus = spawnSync("prometheus", ["--version"]).status === 0;

/** Prometheus with the configuration of the page and the rules of `deploy`. */
export class Prometheus {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  /** Scrapes every second, fires immediately instead of after minutes, and evaluates the last minute. `trial`: of another deployment. */
  static async start(folder: string, pages: Pages, trial: string, shutdown: AsyncDisposableStack): Promise<Prometheus> {
    await mkdir(folder);
    const port = await freePort();
    const rules = await readFile(join(DEPLOY, "prometheus", "alerts.yml"), "utf8");
    const quick = rules.replaceAll(/^ +for: \w+\n/gm, "").replaceAll(/\[\d+m\]/g, "[1m]");
    await writeFile(join(folder, "alerts.yml"), quick);
    const page = pages.block("prometheus.yml").replace("scrape_interval: 15s", "scrape_interval: 1s");
    const job = `  - job_name: trial\n    scrape_interval: 1s\n    static_configs: [{ targets: ["${trial}"] }]\n`;
    await writeFile(join(folder, "prometheus.yml"), `global: { evaluation_interval: 1s }\n${page}${job}`);
    const data = `--storage.tsdb.path=${join(folder, "data")}`;
    const parameters = [`--config.file=${join(folder, "prometheus.yml")}`, data, "--log.level=error"];
    const listen = `--web.listen-address=127.0.0.1:${port}`;
    const program = await startProxy("prometheus", [...parameters, listen], {}, { port, host: "127.0.0.1" });
    shutdown.defer(() => program.stop());
    const started = new Prometheus(`http://127.0.0.1:${port}`);
    await eventually(async () => void (await started.firing()));
    return started;
  }

  async firing(): Promise<readonly string[]> {
    const response = await fetch(`${this.#url}/api/v1/alerts`);
    const { data } = (await response.json()) as {
      data: { alerts: { labels: { alertname: string }; state: string }[] };
    };
    return data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
  }

  async until(isSo: (firing: readonly string[]) => boolean): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (let firing = await this.firing(); !isSo(firing); firing = await this.firing()) {
      if (performance.now() > end) throw new Error(`only these alerts fire: ${firing.join(", ")}`);
      await setTimeout(POLL_MS);
    }
  }
}
