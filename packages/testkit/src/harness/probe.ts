import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../eventually.ts";

export interface ProbeReport {
  readonly residentBytes: number;
  /** After a garbage collection. */
  readonly heapBytes: number;
  /** Documents parsed and validated since the start. */
  readonly preparedDocuments: number;
}

const PATIENCE_MS = 60_000;

/** Options of Node for a process with a small heap and a probe, so that memory that grows ends the process. */
export function probeOptions(): string[] {
  const probe = new URL("./processProbe.ts", import.meta.url);
  probe.searchParams.set("folder", tmpdir());
  return ["--max-old-space-size=256", `--import=${probe.href}`];
}

export function reportFile(pid: number): string {
  return `social-connect-probe-${pid}.json`;
}

export async function probe(pid: number): Promise<ProbeReport> {
  const file = join(tmpdir(), reportFile(pid));
  process.kill(pid, "SIGURG");
  const report = await eventually(() => readFile(file, "utf8"), PATIENCE_MS);
  await rm(file);
  return JSON.parse(report) as ProbeReport;
}
