import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { DEPLOY, freePort } from "../proxies/proxies.ts";
import type { Pages } from "./pages.ts";

const PATIENCE_MS = 180_000;

/** Whether Debian's package `prometheus` is installed. */
export const hasPrometheus = spawnSync("prometheus", ["--version"]).status === 0;

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

/**
 * Prometheus with the configuration of the page and the rules of `deploy`. It scrapes every second, fires immediately instead of after
 * minutes, and evaluates the last minute. `trial`: of another deployment.
 */
export async function startPrometheus(folder: string, pages: Pages, trial: string, shutdown: AsyncDisposableStack) {
  await mkdir(folder);
  const address = `127.0.0.1:${await freePort()}`;
  const rules = await readFile(join(DEPLOY, "prometheus", "alerts.yml"), "utf8");
  const quick = rules.replaceAll(/^ +for: \w+\n/gm, "").replaceAll(/\[\d+m\]/g, "[1m]");
  await writeFile(join(folder, "alerts.yml"), quick);
  const page = pages.block("prometheus.yml").replace("scrape_interval: 15s", "scrape_interval: 1s");
  const job = `  - job_name: trial\n    scrape_interval: 1s\n    static_configs: [{ targets: ["${trial}"] }]\n`;
  const file = join(folder, "prometheus.yml");
  await writeFile(file, `global: { evaluation_interval: 1s }\n${page}${job}`);
  const options = { "config.file": file, "storage.tsdb.path": join(folder, "data"), "log.level": "error" };
  const flags = Object.entries({ ...options, "web.listen-address": address }).map(
    ([name, value]) => `--${name}=${value}`,
  );
  const program = shutdown.use(startProgram({ command: ["prometheus", ...flags] }));
  /** The alerts that fire. */
  const firing = async (): Promise<readonly string[]> => {
    const { data } = (await (await fetch(`http://${address}/api/v1/alerts`)).json()) as {
      data: { alerts: { labels: { alertname: string }; state: string }[] };
    };
    return data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
  };
  await program.until(async () => (await firing()).length >= 0);
  return {
    until: (isSo: (firing: readonly string[]) => boolean): Promise<void> =>
      eventually(async () => {
        const fired = await firing();
        if (!isSo(fired)) throw new Error(`only these alerts fire: ${fired.join(", ")}`);
      }, PATIENCE_MS),
  };
}
