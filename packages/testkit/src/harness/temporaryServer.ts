import { startDev } from "../../../../apps/server/src/dev/dev.ts";
import { devFilePath } from "../../../../apps/server/src/dev/devFile.ts";
import { findTakenPorts, type PortName, planPorts } from "../../../../apps/server/src/dev/ports.ts";
import { makeTemporaryDataFolder } from "../../../../apps/server/src/platform/testing/temporaryDatabase.ts";
import { reservePorts } from "../ports.ts";

export interface TemporaryServerOptions {
  /** Settings of the service that replace those of a development environment. */
  readonly serviceEnvironment?: Readonly<Record<string, string>>;
  /** Another database than the embedded one. */
  readonly databaseUrl?: string;
  readonly hasMovableClock?: boolean;
  readonly jitter?: number;
  /** The first of its ports if all of them are free, for answers that name one. */
  readonly preferredPort?: number;
}

/** The development environment of the server on temporary data: the service, workers, simulator and database. */
export async function startTemporaryServer({ preferredPort, ...options }: TemporaryServerOptions = {}) {
  const folder = await makeTemporaryDataFolder();
  const firstPort = await chooseFirstPort(preferredPort);
  const setup = await startDev({
    hasMovableClock: true,
    databaseUrl: null,
    ...options,
    firstPort,
    dataFolder: folder.path,
    hasPanel: false,
    isVerbose: false,
    signal: new AbortController().signal,
  });
  const stop = async () => {
    await setup.stop();
    await folder.remove();
  };
  return { dataFolder: folder.path, devFile: devFilePath(folder.path), firstPort, stop };
}

async function chooseFirstPort(preferred: number | undefined): Promise<number> {
  const names = Object.keys(planPorts(1)) as PortName[];
  const isFree = preferred !== undefined && (await findTakenPorts(planPorts(preferred), names)).length === 0;
  return isFree ? preferred : reservePorts(names.length);
}
