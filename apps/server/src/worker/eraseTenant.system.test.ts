import { afterEach, expect, test } from "vitest";
import { runCommand } from "../cli/testing/commandLine.ts";
import type { ErasureReport, ErasureSize } from "../modules/operations/eraseConnections.ts";
import { dumpDatabase, encodingsOf } from "../modules/testing/databaseDump.ts";
import { createConnectAttempt } from "../modules/testing/rows.ts";
import { newId } from "../platform/ids.ts";
import { real, service, useRealService } from "./testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

useRealService();

/** `pnpm benchmark jobs` erases 1,000. */
const CONNECTIONS = 10;
const TENANT = "canary-tenant";

let worker: RunningWorker | undefined;

afterEach(() => worker?.stop());

test("the command erases the connections of a tenant that the client no longer has, with receipts, and leaves no trace", async () => {
  const kept = await real.connect({ externalSubjectId: "kept" });
  const connections = await connectMany();
  await createConnectAttempt(real.base, real.application, real.registrations, {
    tenantKey: TENANT,
    externalSubjectId: `${TENANT}-unfinished`,
    status: "AUTHORIZING",
  });
  const rows = { connections: CONNECTIONS, connectAttempts: 1, identityAttempts: 0 };
  expect(await erase<ErasureSize>("--dry-run")).toEqual({ ...rows, dryRun: true });
  expect(await hits(connections)).not.toEqual([]);

  worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
  const report = await erase<ErasureReport>();

  expect(report).toMatchObject({ pending: 0, failed: [] });
  expect(report.receipts).toHaveLength(CONNECTIONS);
  expect(new Set(report.receipts.map(({ connectionId }) => connectionId))).toEqual(new Set(connections));
  const ended = { status: "SUCCEEDED", errorCode: null };
  for (const { revoke, erase } of report.receipts) {
    expect(revoke).toMatchObject({ ...ended, creatorAction: null });
    expect(erase).toMatchObject({ ...ended, deletedCounts: { connection: 1, provider_grant: 1, content_item: 2 } });
  }
  const deleted = { connection: CONNECTIONS, provider_grant: CONNECTIONS, content_item: 2 * CONNECTIONS };
  expect(report.deleted).toMatchObject({ ...deleted, connect_attempt: 1 });
  expect(JSON.stringify(report)).not.toContain(TENANT);
  expect(await hits(connections)).toEqual([]);
  expect(await service.prisma.connection.findMany({ select: { id: true } })).toEqual([{ id: kept.id }]);
  expect(service.fakes.PROVIDER_A.calls.filter(({ name }) => name === "revoke")).toHaveLength(CONNECTIONS);
});

/** Connections of the tenant with a credential and two posts each. */
async function connectMany(): Promise<string[]> {
  const connections: string[] = [];
  for (let number = 0; number < CONNECTIONS; number += 1) {
    const { id } = await real.connect({
      externalSubjectId: `${TENANT}-subject-${number}`,
      accountId: `${TENANT}-account-${number}`,
      data: { tenantKey: TENANT, displayName: `${TENANT}-name-${number}` },
    });
    connections.push(id);
  }
  for (const post of ["post-1", "post-2"]) await insertPosts(post);
  return connections;
}

async function insertPosts(post: string): Promise<void> {
  const connections = await service.prisma.connection.findMany({ where: { tenantKey: TENANT } });
  const now = await service.clock.now();
  await service.prisma.contentItem.createMany({
    data: connections.map((connection) => ({
      id: newId(),
      applicationId: connection.applicationId,
      connectionId: connection.id,
      providerContentId: post,
      kind: "VIDEO",
      title: `${TENANT}-title`,
      availability: "AVAILABLE",
      observedAt: now,
      metrics: [],
    })),
  });
}

/** Runs `social-connect erase` as an operator does, with a pipe for its report. Throws unless it exits with 0. */
async function erase<Report>(...options: readonly string[]): Promise<Report> {
  const parameters = ["erase", "--application", "shop", "--tenant", TENANT, "--json", ...options];
  const { exitCode, stdout, stderr } = await runCommand(parameters, { DATABASE_URL: real.databaseUrl });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stdout) as Report;
}

/** Rows with a name of the tenant, or with the id of an erased connection that is not a receipt's. */
async function hits(connections: readonly string[]): Promise<string[]> {
  const names = encodingsOf(TENANT).map((text) => text.toLowerCase());
  const ids = new Set(connections);
  return (await dumpDatabase(service.pool)).filter((line) => {
    if (names.some((name) => line.toLowerCase().includes(name))) return true;
    return !line.startsWith("public.job ") && [...line.matchAll(UUID)].some(([id]) => ids.has(id));
  });
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
