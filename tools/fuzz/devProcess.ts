import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DevFile } from "../../apps/server/src/dev/devFile.ts";
import { probe, probeOptions } from "../../packages/testkit/src/harness/probe.ts";
import { SERVICE_COMMAND, StartedProgram } from "../../packages/testkit/src/harness/startedProgram.ts";

export interface DevProcess {
  readonly dev: DevFile;
  /** Error lines of the log; cleared by the reader. */
  readonly complaints: string[];
  /** What the API's heap takes after a garbage collection. */
  heapBytes(): Promise<number>;
  /** Process id of the api; a change means that it exited. */
  apiPid(): Promise<number | null>;
  stop(): Promise<void>;
}

/** A development environment: the service, workers, simulator and PostgreSQL in processes. */
export async function startDevProcess(dataFolder: string, firstPort: number): Promise<DevProcess> {
  const complaints: string[] = [];
  let isStopping = false;
  const program = new StartedProgram({
    name: "social-connect dev",
    command: [...SERVICE_COMMAND, "dev", "--port", String(firstPort), "--data", dataFolder],
    environment: { LOG_LEVEL: "warn", DATABASE_URL: "", NODE_OPTIONS: probeOptions().join(" ") },
    onLine: (line, stream) => {
      if (stream === "stderr" && !isStopping && isComplaint(line)) complaints.push(line.slice(0, 4_000));
    },
  });
  const readDev = async () => JSON.parse(await readFile(join(dataFolder, "dev.json"), "utf8")) as DevFile;
  await program.until(async () => (await readDev()).consumer !== undefined);
  const apiPid = async () => (await readDev()).processes.api;
  return {
    dev: await readDev(),
    complaints,
    apiPid,
    heapBytes: async () => {
      const pid = await apiPid();
      if (pid === null) throw new Error("The API is not running.");
      return (await probe(pid)).heapBytes;
    },
    stop: async () => {
      isStopping = true;
      await program.stop();
    },
  };
}

/** An error in the log of the service, a process that ended, or anything that was not logged at all, such as a warning. */
function isComplaint(line: string): boolean {
  const [, role, text = ""] = /^\[(\w+)\] (.*)$/.exec(line) ?? [];
  if (role === "dev") return true;
  if (role !== "api" && role !== "worker") return false;
  try {
    const { level } = JSON.parse(text) as { level?: string };
    return level !== "warn" && level !== "info" && level !== "debug";
  } catch {
    return true;
  }
}
