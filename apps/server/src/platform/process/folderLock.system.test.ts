import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, useFolderPerTest } from "../testing/folderPerTest.ts";
import { FolderInUseError, lockFolder } from "./folderLock.ts";
import { identifyProcess, isStillRunning } from "./processIdentity.ts";

useFolderPerTest();

test("a folder has one owner at a time and is free after its release", async () => {
  const lock = await lockFolder(folder);
  expect(lock.wasAbandoned).toBe(false);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`);
  // A command's database ends with it.
  await expect(lockFolder(folder)).rejects.toMatchObject({ isShared: false });
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
  const shared = await lockFolder(folder, { isShared: true });
  await expect(lockFolder(folder)).rejects.toMatchObject({ isShared: true });
  await shared.release();
});

test.runIf(process.platform === "linux")("a path where folders cannot be created is reported", async () => {
  await expect(lockFolder("/proc/social-connect/data")).rejects.toThrow(
    "the data folder /proc/social-connect/data cannot be written (ENOENT); set DATA_DIR (`dev`: --data) to a folder that this user can write",
  );
});

test("ignores the lock of a killed process", async () => {
  const holder = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const identity = await identifyProcess(holder.pid as number);
  await writeFile(join(folder, "lock"), JSON.stringify(identity));
  await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${holder.pid}`);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const lock = await lockFolder(folder);
  expect(lock.wasAbandoned).toBe(true);
  await lock.release();
});

test("ignores a lock whose process number belongs to another process", async () => {
  const other = { pid: process.pid, startedAt: "long ago" };
  expect(await isStillRunning(other)).toBe(false);
  await writeFile(join(folder, "lock"), JSON.stringify(other));
  expect((await lockFolder(folder)).wasAbandoned).toBe(true);
});

test("ignores an invalid lock file", async () => {
  await writeFile(join(folder, "lock"), "{");
  expect((await lockFolder(folder)).wasAbandoned).toBe(true);
});

test("of twenty processes that find the same abandoned lock, one gets the folder", async () => {
  await writeFile(join(folder, "lock"), JSON.stringify({ pid: 2 ** 22 + 1, startedAt: "gone" }));
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});
