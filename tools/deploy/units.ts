import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../packages/commands.ts";

/** The highest exposure that `systemd-analyze security` may report for a unit, of 100; without hardening it is 96. */
const MOST_EXPOSURE = 20;

export const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

/** Verifies unit files and their hardening. Gives their names. */
export async function checkUnits(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".service")).toSorted();
  const copies = await mkdtemp(join(tmpdir(), "social-connect-units-"));
  try {
    for (const name of names) {
      // Node's place differs between machines, and a missing program is a finding.
      const text = (await readFile(join(folder, name), "utf8")).replaceAll("/usr/bin/node", process.execPath);
      await writeFile(join(copies, name), text);
    }
    const files = names.map((name) => join(copies, name));
    await run("systemd-analyze", ["verify", "--man=no", ...files], { folder: copies });
    for (const file of files) {
      const parameters = ["security", "--offline=true", `--threshold=${MOST_EXPOSURE}`, "--no-pager", file];
      await run("systemd-analyze", parameters, { folder: copies });
    }
    return names;
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}
