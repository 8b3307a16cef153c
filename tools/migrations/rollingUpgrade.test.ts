import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { folder } from "../../apps/server/src/platform/testing/folderPerTest.ts";
import { SocialConnect } from "../../packages/sdk/src/index.ts";
import { eventually } from "../../packages/testkit/src/index.ts";
import { checkEffects, readAccepted } from "../operations/checkJobs.ts";
import { CountedRequests } from "../operations/countedRequests.ts";
import { currentRelease, startDeployment } from "../operations/deployment.ts";
import { Load, whileLoaded } from "../operations/load.ts";
import { writeCommand } from "../operations/previousRelease.ts";
import { createPreviousDatabase, lanesOf, migrationNames, withClient } from "./previousDatabase.ts";
import { readRelease } from "./release.ts";
import { Replay } from "./replay.ts";

const COMMAND = fileURLToPath(new URL("../../apps/server/src/cli/cli.ts", import.meta.url));
/** Calls of the previous release and requests to this one, between two restarts. */
const ROUNDS = 30;
/** Eight processes start under load. */
const HANGS_AFTER_MS = 400_000;

/** `pnpm check:upgrade` does the same with processes of the previous release. */
test(
  "apis and workers are restarted one by one while the previous release sends its statements, without a failed call or a lost job",
  async () => {
    const release = await readRelease();
    const { url, drop } = await createPreviousDatabase(release);
    const shutdown = new Shutdown();
    onTestFinished(async () => {
      await shutdown.run(console.error);
      await drop();
    });
    const replay = new Replay(url, lanesOf(release));
    shutdown.add(() => replay.stop());
    const requests = new CountedRequests();
    const more = async (counts: readonly (() => number)[]) => {
      const from = counts.map((count) => count());
      await eventually(() => {
        for (const [index, count] of counts.entries()) expect(count() - (from[index] ?? 0)).toBeGreaterThan(ROUNDS);
      });
    };
    const replayed = () => replay.completed;
    await more([replayed]);

    // Migrates, and starts processes of this version.
    const command = await writeCommand(COMMAND, join(folder, "social-connect"));
    // No process reads the values of the previous release's data.
    const options = { databaseUrl: url, workers: 2, watchesChanges: false, lostKeys: ["test"] };
    const deployment = await startDeployment(currentRelease(command), folder, shutdown, options);
    const applied = await withClient(url, (client) => client.query("SELECT 1 FROM _prisma_migrations"));
    expect(applied.rowCount).toBe((await migrationNames()).length);
    const { addresses, applications, openAccount, processes } = deployment;
    const client = new SocialConnect({ baseUrl: addresses.server, key: applications.demo.key, fetch: requests.fetch });
    const load = new Load({ name: "demo", client, application: applications.demo, requests, openAccount });
    await load.prepare();
    await whileLoaded(load, async () => {
      for (const process of processes.toReversed()) {
        await more([replayed, () => requests.total]);
        await process.stop();
        await process.start();
      }
      await more([replayed, () => requests.total]);
    });
    await replay.stop();
    expect(replay.failures).toEqual([]);
    requests.requireNoFailure();
    const { ids } = await readAccepted(deployment.database, [load]);
    expect(ids.length).toBeGreaterThan(0);
    await checkEffects(deployment, [load]);
  },
  HANGS_AFTER_MS,
);
