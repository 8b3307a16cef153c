import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError, run } from "../packages/commands.ts";

/** Whether Prometheus' own checker is installed (Debian package `prometheus`). */
export const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

const INVALID = 'groups: [{ name: control, rules: [{ alert: Control, expr: "sum by (" }] }]\n';

/** Checks a file of alert rules with `promtool`. Gives the number of its rules. */
export async function checkAlertRules(file: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-rules-"));
  try {
    const control = join(folder, "control.yml");
    await writeFile(control, INVALID);
    const isRefused = await countRules(control).then(
      () => false,
      (error: unknown) => error instanceof CommandError,
    );
    if (!isRefused) throw new Error("promtool accepts an invalid alert rule");
    return await countRules(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function countRules(file: string): Promise<number> {
  const output = await run("promtool", ["check", "rules", file], { folder: tmpdir() });
  const count = Number(/SUCCESS: (\d+) rules found/.exec(output)?.[1] ?? 0);
  if (count === 0) throw new Error(`promtool finds no rules in ${file}:\n${output.trim()}`);
  return count;
}
