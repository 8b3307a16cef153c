import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { folder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { findPackageRunners } from "./packageRunners.ts";

useFolderPerTest();

let outer: ChildProcess | undefined;

afterEach(() => {
  if (outer?.pid !== undefined) process.kill(-outer.pid, "SIGKILL");
});

/** Starts `program` through a shell, as a runner does, and returns the id of the shell's child. */
async function startThroughShell(program: string): Promise<number> {
  const script = join(folder, program);
  await writeFile(script, `#!/bin/sh\nsh -c 'sleep 60 & echo $!; wait'; true\n`);
  await chmod(script, 0o755);
  outer = spawn("sh", [script], { stdio: ["ignore", "pipe", "ignore"], detached: true, argv0: script });
  const [chunk] = (await once(outer.stdout as NonNullable<ChildProcess["stdout"]>, "data")) as [Buffer];
  return Number(chunk.toString("utf8"));
}

async function parentOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ")[1]);
}

test("finds the runner and the shell below it, and nothing above them", async () => {
  const inner = await startThroughShell("pnpm");
  const runners = await findPackageRunners(await parentOf(inner));
  expect(runners.map(({ pid }) => pid)).toEqual([await parentOf(inner), outer?.pid]);
});

test("ignores a shell that was not started by a runner", async () => {
  const inner = await startThroughShell("start-everything");
  const runners = await findPackageRunners(await parentOf(inner));
  expect(runners.map(({ pid }) => pid)).not.toContain(await parentOf(inner));
});
