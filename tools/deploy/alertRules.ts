import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../packages/commands.ts";

/** Whether Prometheus' own checker is installed (Debian package `prometheus`). */
export const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

/** Checks the alert rules of a folder and runs their unit tests with `promtool`. Gives the number of rules. */
export async function checkAlertRules(folder: string): Promise<number> {
  const output = await run("promtool", ["check", "rules", join(folder, "alerts.yml")], { folder: tmpdir() });
  const count = Number(/SUCCESS: (\d+) rules found/.exec(output)?.[1] ?? 0);
  if (count === 0) throw new Error(`promtool finds no rules in ${folder}:\n${output.trim()}`);
  await run("promtool", ["test", "rules", join(folder, "alerts.test.yml")], { folder: tmpdir() });
  return count;
}
