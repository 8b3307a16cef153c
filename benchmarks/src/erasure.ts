/**
 * `social-connect erase` of a tenant with 1,000 connections and two posts each, beside a worker. `pnpm benchmark erasure [connections]`
 *
 * Fails if a connection has no receipt, or if a row of the tenant is left.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ErasureReport } from "../../apps/server/src/modules/operations/eraseConnections.ts";
import { dumpDatabase } from "../../apps/server/src/modules/testing/databaseDump.ts";
import { createPost } from "../../apps/server/src/modules/testing/rows.ts";
import { applyMigrations } from "../../apps/server/src/platform/migrations.ts";
import { prepareTaskQueues } from "../../apps/server/src/worker/boss.ts";
import { startWorker } from "../../apps/server/src/worker/worker.ts";
import { withTemporaryDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { createApplications, type JobService, openJobService } from "./jobs/jobService.ts";
import { type Check, reportChecks } from "./results/checks.ts";

const TENANT = "tenant";
const COMMAND = fileURLToPath(new URL("../../apps/server/src/cli/cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const MOST_OUTPUT_BYTES = 64 * 1_024 * 1_024;

async function main(count: number): Promise<boolean> {
  return withTemporaryDatabase(async (temporary) => {
    const url = temporary.url("postgres");
    await applyMigrations(url);
    const service = await openJobService({ url, secretKey: randomBytes(32).toString("base64"), callMs: 0, posts: 0 });
    try {
      await prepareTaskQueues(service.pool);
      await fill(service, count);
      const worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
      const begin = performance.now();
      const report = await erase(url);
      console.log(`${count} connections erased in ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
      await worker.stop();
      return reportChecks(await check(service, report, count));
    } finally {
      await service.close();
    }
  });
}

async function fill(service: JobService, count: number): Promise<void> {
  const { connect } = await createApplications(service);
  const current = await service.clock.now();
  const clock = { current, fromNow: (ms: number) => new Date(current.getTime() + ms) };
  for (let number = 0; number < count; number += 1) {
    const connection = await connect("shop");
    for (const providerContentId of ["post-1", "post-2"])
      await createPost({ ...service, clock } as never, connection, { providerContentId });
  }
}

async function erase(databaseUrl: string): Promise<ErasureReport> {
  const parameters = ["erase", "--application", "shop", "--tenant", TENANT, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, COMMAND, ...parameters], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  return JSON.parse(stdout) as ErasureReport;
}

async function check({ pool, prisma }: JobService, report: ErasureReport, count: number): Promise<Check[]> {
  const rows = await dumpDatabase(pool);
  const left = (await prisma.connection.count()) + (await prisma.contentItem.count()) + (await prisma.grant.count());
  const erased = new Set(report.receipts.map(({ connectionId }) => connectionId)).size;
  return [
    { name: "each connection has a receipt", isMet: erased === count && report.failed.length === 0 },
    { name: "no connection, credential or post is left", isMet: left === 0 },
    { name: "no row has an account's id", isMet: !rows.some((row) => /\b(?:account|user)-\d/.test(row)) },
  ];
}

const [count = 1_000] = process.argv.slice(2).map(Number);
process.exitCode = (await main(count)) ? 0 : 1;
