/**
 * The targets of `pnpm conformance --all`: the server, started with temporary data, and every interface of the mocks.
 */
import { openTargetFile, type TargetFactory } from "../packages/conformance/src/index.ts";
import { MOCK_TARGETS } from "../packages/mocks/src/testing/targets.ts";
import { startTemporaryServer } from "../packages/testkit/src/harness/temporaryServer.ts";

const server: TargetFactory = {
  name: "server",
  open: async () => {
    const { devFile, stop } = await startTemporaryServer();
    const target = await openTargetFile(devFile).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { ...target, close: () => target.close().finally(stop) };
  },
};

export const TARGETS: readonly TargetFactory[] = [server, ...MOCK_TARGETS];
