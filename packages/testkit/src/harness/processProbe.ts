/**
 * Loaded into processes of the service before their programs, see `probeOptions`: on SIGURG a process runs the garbage
 * collector and writes a report into the folder that the module's URL names.
 */
import { subscribe } from "node:diagnostics_channel";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type ProbeReport, reportFile } from "./probe.ts";

const folder = new URL(import.meta.url).searchParams.get("folder") ?? ".";
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
let preparedDocuments = 0;
subscribe("social-connect:document-prepared", () => {
  preparedDocuments += 1;
});

process.on("SIGURG", () => {
  const residentBytes = process.memoryUsage.rss();
  collectGarbage();
  const report: ProbeReport = { residentBytes, heapBytes: process.memoryUsage().heapUsed, preparedDocuments };
  const file = join(folder, reportFile(process.pid));
  writeFileSync(`${file}.new`, JSON.stringify(report));
  renameSync(`${file}.new`, file);
});
