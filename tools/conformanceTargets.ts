/**
 * The targets of `pnpm conformance --all`: the server, started with temporary data, and every interface of the mocks.
 */
import { existsSync } from "node:fs";
import { openTargetFile, type TargetFactory } from "../packages/conformance/src/index.ts";
import { openTemporaryServer } from "./temporaryServer.ts";

const LOWEST_PORT = 5_500;

const server: TargetFactory = {
  name: "server",
  open: () =>
    openTemporaryServer({ name: "conformance", lowestPort: LOWEST_PORT }, async ({ devFile, stop }) => {
      const target = await openTargetFile(devFile);
      return { ...target, close: () => target.close().finally(stop) };
    }),
};

/** The targets of the mocks, one per interface. */
async function targetsOfMocks(): Promise<readonly TargetFactory[]> {
  const module = new URL("../packages/mocks/src/testing/targets.ts", import.meta.url);
  if (!existsSync(module)) return [];
  return ((await import(module.href)) as { MOCK_TARGETS: readonly TargetFactory[] }).MOCK_TARGETS;
}

export const TARGETS: readonly TargetFactory[] = [server, ...(await targetsOfMocks())];
