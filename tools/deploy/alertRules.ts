import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { run } from "../packages/commands.ts";

/** Whether Prometheus' own checker is installed (Debian package `prometheus`). */
export const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

/** Checks a file of alert rules with `promtool`. Gives the number of its rules. */
export async function checkAlertRules(file: string): Promise<number> {
  const output = await run("promtool", ["check", "rules", file], { folder: tmpdir() });
  const count = Number(/SUCCESS: (\d+) rules found/.exec(output)?.[1] ?? 0);
  if (count === 0) throw new Error(`promtool finds no rules in ${file}:\n${output.trim()}`);
  return count;
}
