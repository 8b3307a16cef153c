/**
 * Waits until its parent process has ended, for any reason, then stops the parent's database and removes its folder:
 * `clearAfterParent.ts DATA_FOLDER`. It detects the end by its standard input, which the parent holds open and never
 * writes to.
 */
import { rm } from "node:fs/promises";
import { stopLeftoverDatabase } from "../embeddedDatabase/start.ts";

const [, , dataFolder] = process.argv;
if (dataFolder === undefined) throw new Error("name the data folder");

// Ctrl-C also reaches this process, which still has work to do then.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.stdin.resume().once("close", async () => {
  await stopLeftoverDatabase(dataFolder);
  await rm(dataFolder, { recursive: true, force: true });
});
