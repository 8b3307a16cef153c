/**
 * The targets of `pnpm conformance --all`: the server, started with temporary data, and every interface of the mocks.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDev } from "../apps/server/src/dev/dev.ts";
import { devFilePath } from "../apps/server/src/dev/devFile.ts";
import { findTakenPorts, planPorts } from "../apps/server/src/dev/ports.ts";
import type { TargetFactory } from "../packages/conformance/src/index.ts";
import { openTargetFile } from "../packages/conformance/src/index.ts";

const FIRST_PORTS = Array.from({ length: 20 }, (_, index) => 5_500 + 10 * index);

async function findFirstPort(): Promise<number> {
  for (const first of FIRST_PORTS) {
    const ports = planPorts(first);
    const taken = await findTakenPorts(ports, Object.keys(ports) as (keyof typeof ports)[]);
    if (taken.length === 0) return first;
  }
  throw new Error(`there is no room for a server between the ports ${FIRST_PORTS[0]} and ${FIRST_PORTS.at(-1)}`);
}

const server: TargetFactory = {
  name: "server",
  open: async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-conformance-"));
    const setup = await startDev({
      firstPort: await findFirstPort(),
      dataFolder,
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
      const target = await openTargetFile(devFilePath(dataFolder));
      return { ...target, close: () => target.close().finally(stop) };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

/** The targets of the mocks, one per interface. */
async function targetsOfMocks(): Promise<readonly TargetFactory[]> {
  const module = new URL("../packages/mocks/src/testing/targets.ts", import.meta.url);
  if (!existsSync(module)) return [];
  return ((await import(module.href)) as { MOCK_TARGETS: readonly TargetFactory[] }).MOCK_TARGETS;
}

export const TARGETS: readonly TargetFactory[] = [server, ...(await targetsOfMocks())];
