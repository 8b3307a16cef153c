/** @module-tag nightly */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findUnsafe } from "../../apps/server/tools/migrations/rules.ts";
import { SocialConnect } from "../../packages/sdk/src/index.ts";
import { eventually, readMetric } from "../../packages/testkit/src/index.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { makeLaterRelease } from "../deployment/laterRelease.ts";
import { runCommand } from "../deployment/runCommand.ts";
import { installProbes } from "../faults/probes.ts";
import { checkEffects, checkJobs } from "./checkJobs.ts";
import { countRequests } from "./countedRequests.ts";
import { openLoad } from "./load.ts";

/** Requests between two restarts. */
const ROUNDS = 30;
/** Eight processes start under load. */
const HANGS_AFTER_MS = 400_000;

/** What a release expands, in the form that the linter for migrations requires. */
const LATER_MIGRATIONS = {
  "99990101000001_column": "ALTER TABLE content_item ADD COLUMN later text;",
  "99990101000002_check":
    "ALTER TABLE content_item ADD CONSTRAINT content_item_later_check CHECK (later <> '') NOT VALID;",
  "99990101000003_checked": "ALTER TABLE content_item VALIDATE CONSTRAINT content_item_later_check;",
  "99990101000004_index":
    "-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS content_item_later_idx ON content_item (later);",
} as const;

test(
  "the tables change, a worker is killed, and apis and workers are restarted one by one under load, without a failed call or a lost job",
  async () => {
    const later = Object.entries(LATER_MIGRATIONS).map(([name, sql]) => ({ name, sql }));
    expect(await findUnsafe(later)).toEqual([]);
    const folder = await mkdtemp(join(tmpdir(), "social-connect-release-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const command = await makeLaterRelease(join(folder, "later"), LATER_MIGRATIONS);
    const deployment = await startDeployment({
      roles: ["api", "api", "worker", "worker"],
      // The defaults of a shutdown, and the lines of jobs.
      settings: { DRAIN_SECONDS: "3", SHUTDOWN_TIMEOUT_SECONDS: "20", LOG_LEVEL: "info" },
    });
    onTestFinished(() => deployment[Symbol.asyncDispose]());
    const { database, databaseUrl, operator, processes, url } = deployment;
    await installProbes(database);
    const application = await operator.createApplication();
    const requests = countRequests();
    const client = new SocialConnect({ baseUrl: url, key: application.key, fetch: requests.fetch });
    const load = openLoad({ name: "demo", deployment, application, client, requests });
    const more = async () => {
      const from = requests.total();
      await eventually(() => expect(requests.total() - from).toBeGreaterThan(ROUNDS));
    };
    await load.prepare();
    const apis = processes.filter(({ role }) => role === "api");
    for (const [operation, count] of requests.answered) {
      const labels = { operation, code: "OK" };
      const read = () => Promise.all(apis.map((api) => readMetric(api, "social_connect_requests_total", labels)));
      // Metrics follow the response.
      await eventually(async () => expect((await read()).reduce((sum, value) => sum + value)).toBe(count));
    }
    await load.during(async () => {
      await more();
      expect(await runCommand(databaseUrl, ["migrate"], { command })).toBe(0);
      const applied = "SELECT migration_name AS name FROM _prisma_migrations WHERE migration_name >= '9999' ORDER BY 1";
      const { rows } = await database.query<{ name: string }>(applied);
      expect(rows.map(({ name }) => name)).toEqual(Object.keys(LATER_MIGRATIONS));
      for (const [index, process] of processes.toReversed().entries()) {
        await more();
        await (index === 0 ? process.kill() : process.stop());
        await process.start();
      }
      await more();
    });
    requests.requireNoFailure();
    expect(await checkJobs(deployment, load)).toBeGreaterThan(0);
    await checkEffects(deployment, load);
  },
  HANGS_AFTER_MS,
);
