import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDev } from "../apps/server/src/dev/dev.ts";
import { devFilePath } from "../apps/server/src/dev/devFile.ts";
import { findTakenPorts, planPorts } from "../apps/server/src/dev/ports.ts";

export interface TemporaryServerOptions {
  /** For the name of its data folder. */
  readonly name: string;
  /** Of the 200 ports from this one it takes the first ten that are free. */
  readonly lowestPort: number;
  readonly jitter?: number;
}

export interface TemporaryServer {
  /** The path of the file with its addresses and keys. */
  readonly devFile: string;
  readonly firstPort: number;
  /** Stops it and deletes its data. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the development environment of the server, with workers, simulator and database, on temporary data, and opens
 * it. If opening fails, it is stopped.
 */
export async function openTemporaryServer<Opened>(
  { name, lowestPort, ...options }: TemporaryServerOptions,
  open: (server: TemporaryServer) => Promise<Opened>,
): Promise<Opened> {
  const dataFolder = await mkdtemp(join(tmpdir(), `social-connect-${name}-`));
  const firstPort = await findFirstPort(lowestPort);
  const setup = await startDev({
    firstPort,
    dataFolder,
    ...options,
    hasMovableClock: true,
    hasPanel: false,
    isVerbose: false,
    databaseUrl: null,
    signal: new AbortController().signal,
  });
  const stop = async () => {
    await setup.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
  try {
    return await open({ devFile: devFilePath(dataFolder), firstPort, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

async function findFirstPort(lowest: number): Promise<number> {
  for (let first = lowest; first < lowest + 200; first += 10) {
    const ports = planPorts(first);
    const taken = await findTakenPorts(ports, Object.keys(ports) as (keyof typeof ports)[]);
    if (taken.length === 0) return first;
  }
  throw new Error(`No ten ports from ${lowest} to ${lowest + 199} are free for a server.`);
}
