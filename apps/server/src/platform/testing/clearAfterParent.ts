/**
 * Waits until the process that started it is gone, however it ended, and then stops that one's database and removes its
 * folder: `clearAfterParent.ts DATA_FOLDER`. It notices by its input, which the other holds open and never writes to.
 */
import { rm } from "node:fs/promises";
import { stopLeftoverDatabase } from "../embeddedDatabase/start.ts";

const [, , dataFolder] = process.argv;
if (dataFolder === undefined) throw new Error("name the data folder");

// Whoever interrupts the other with Ctrl-C reaches this process too; it has work left to do then.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.stdin.resume().once("close", async () => {
  await stopLeftoverDatabase(dataFolder);
  await rm(dataFolder, { recursive: true, force: true });
});
