/**
 * Loaded into the processes of the environment before their programs: on SIGUSR2 a process runs the garbage collector
 * and writes its heap size to a file in the folder that the module's URL names.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const folder = new URL(import.meta.url).searchParams.get("folder") ?? ".";
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

process.on("SIGUSR2", () => {
  collectGarbage();
  const file = join(folder, `heap-${process.pid}`);
  writeFileSync(`${file}.new`, String(process.memoryUsage().heapUsed));
  renameSync(`${file}.new`, file);
});
