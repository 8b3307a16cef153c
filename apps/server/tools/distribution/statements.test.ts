import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../src/_generated/prisma/client.ts";
import { SYSTEM } from "../../src/modules/admin/actor.ts";
import { authenticate } from "../../src/modules/applications/checkKey.ts";
import { completeConnect } from "../../src/modules/connect/completeConnect.ts";
import { readConnectResult } from "../../src/modules/connect/readConnectResult.ts";
import { redeemLaunchToken } from "../../src/modules/connect/redeemLaunchToken.ts";
import { listConnections } from "../../src/modules/connections/listConnections.ts";
import { readConnection } from "../../src/modules/connections/readConnection.ts";
import { readContent, readContentItem } from "../../src/modules/content/readContent.ts";
import { redeemIdentityResult } from "../../src/modules/identity/redeemIdentityResult.ts";
import { forgetImportLines } from "../../src/modules/imports/forgetLines.ts";
import { readLines } from "../../src/modules/imports/readLines.ts";
import { runImport } from "../../src/modules/imports/runImport.ts";
import { readSyncJob } from "../../src/modules/jobs/readSyncJob.ts";
import { requestContentLookup } from "../../src/modules/jobs/requestContentLookup.ts";
import { ORIGIN } from "../../src/modules/testing/builders.ts";
import {
  disconnect,
  readJob,
  refresh,
  startConnect,
  startIdentity,
  startInitialReads,
} from "../../src/modules/testing/calls.ts";
import { postsOf } from "../../src/modules/testing/connections.ts";
import { accountOf } from "../../src/modules/testing/fakeProvider.ts";
import { application, connect, service, useApplication } from "../../src/modules/testing/fixtures.ts";
import { createEventEndpoint } from "../../src/modules/testing/rows.ts";
import { isPlannable, type Statement, statementsOf } from "../../src/modules/testing/statements.ts";
import { Secret } from "../../src/platform/secrets/secret.ts";
import { TASKS } from "../../src/worker/tasks.ts";
import { unboundTables } from "./unboundTables.ts";

useApplication();
// So that each change stores its event too.
beforeAll(() => createEventEndpoint(service, application));

const HOUR_MS = 3_600_000;

/** The tables that statements of a call use without an application. */
async function unboundIn(call: () => Promise<unknown>): Promise<string[]> {
  const statements: Statement[] = (await statementsOf(call)).filter(isPlannable);
  expect(statements.length).toBeGreaterThan(0);
  return (await Promise.all(statements.map(({ text }) => unboundTables(service.pool, text)))).flat();
}

function run(task: keyof typeof TASKS, id: string): Promise<void> {
  return TASKS[task].run(service, { id, applicationId: application.id });
}

async function connectedWithPosts(): Promise<Connection> {
  const connection = await connect({ accountId: crypto.randomUUID() });
  const { PROVIDER_A } = service.fakes;
  PROVIDER_A.reset();
  PROVIDER_A.posts = postsOf(20, service.clock.current);
  PROVIDER_A.account = { ...PROVIDER_A.account, providerAccountId: connection.providerAccountId };
  await run("scan", (await refresh(service, application, connection)).id);
  return connection;
}

test("reads", async () => {
  const { caller, scope, key } = application;
  const { id } = await connectedWithPosts();
  const { id: attemptId } = await startConnect(service, application);
  const { clock } = service;
  const window = { publishedAfter: clock.fromNow(-60 * 24 * HOUR_MS), publishedBefore: clock.current, first: 5 };
  const reads: (() => Promise<unknown>)[] = [
    () => authenticate(service, [`Bearer ${key}`]),
    () => readContentItem(service, caller, scope, id, "post-1"),
    () => readConnection(service, caller, scope, id),
    () => listConnections(service, caller, scope, { first: 20, after: null }),
    () => readConnectResult(service, caller, scope, attemptId),
    async () => {
      const { pageInfo } = await readContent(service, caller, scope, id, { ...window, after: null });
      await readContent(service, caller, scope, id, { ...window, after: pageInfo.endCursor });
    },
  ];
  for (const read of reads) expect(await unboundIn(read)).toEqual([]);
});

test("a read with an invalid id compares no column with NULL, for which Citus would read all shards", async () => {
  const { caller, scope } = application;
  const connectionId = "invalid";
  const refusals: readonly (() => Promise<unknown>)[] = [
    () => readConnection(service, caller, scope, connectionId),
    () => readContentItem(service, caller, scope, connectionId, "post-1"),
    () => readSyncJob(service, caller, { scope, connectionId, id: "invalid" }),
    () => readConnectResult(service, caller, scope, "invalid"),
  ];
  const statements = await statementsOf(async () => {
    for (const read of refusals) await expect(read()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
  // Control: the last one checks the tenant, so it sends its statement.
  expect(statements.map(({ text }) => text).join()).toContain("connect_attempt");
  expect(statements.flatMap(({ values }) => values)).not.toContain(null);
});

test("jobs of a connection", async () => {
  const connection = await connectedWithPosts();
  const { caller, scope } = application;
  const initial = await unboundIn(() => startInitialReads(service, connection));
  expect(initial).toEqual([]);
  await service.prisma.job.updateMany({ data: { status: "SUCCEEDED", finishedAt: service.clock.current } });
  const url = "https://www.youtube.com/watch?v=abcdefghijk";
  const found = await unboundIn(async () => {
    const scan = await refresh(service, application, connection);
    await run("scan", scan.id);
    await readJob(service, application, connection, scan.id);
    service.fakes.PROVIDER_A.posts = service.fakes.PROVIDER_A.posts.slice(1);
    await run("scan", (await refresh(service, application, connection)).id);
    const metrics = await refresh(service, application, connection, { providerContentId: "post-5" });
    await run("metrics", metrics.id);
    const request = { scope, connectionId: connection.id, url };
    await run("lookup", (await requestContentLookup(service, caller, request)).id);
  });
  expect(found).toEqual([]);
});

test("an import, its repetition and an erasure of its lines", async () => {
  const { tenantKey, externalSubjectId } = application.scope;
  const line = { provider: "PROVIDER_A", client: "shop", tenantKey, externalSubjectId, refreshToken: "import" };
  const options = { actor: SYSTEM, share: 1, isCheck: false, isResumed: true, signal: new AbortController().signal };
  const { PROVIDER_A } = service.fakes;
  PROVIDER_A.reset();
  PROVIDER_A.account = accountOf("PROVIDER_A", "2");
  const run = () =>
    runImport(service, readLines(Readable.from([Buffer.from(JSON.stringify(line))])), {
      ...options,
      wait: async () => false,
      report: () => undefined,
    });
  const found = await unboundIn(async () => {
    expect((await run()).counts).toMatchObject({ CONNECTED: 1 });
    await run();
    const applicationId = application.id;
    expect(await forgetImportLines(service.prisma, { applicationId, tenantKey, externalSubjectId })).toBe(1);
  });
  expect(found).toEqual([]);
});

describe("a connect", () => {
  /** The browser's part. */
  async function link(reconnectConnectionId: string | null = null) {
    const provider = "PROVIDER_A";
    const { id, launchToken } = await startConnect(service, application, { provider, reconnectConnectionId });
    const visited: { launch?: Awaited<ReturnType<typeof redeemLaunchToken>> } = {};
    const launch = await unboundIn(async () => {
      visited.launch = await redeemLaunchToken(service, { launchToken: launchToken.reveal(), origin: ORIGIN });
    });
    if (visited.launch?.outcome !== "redirect") throw new Error("The launch failed.");
    const { location, browserSecret } = visited.launch;
    const query = new URLSearchParams({ code: "code", state: location.searchParams.get("state") ?? "" });
    const browserSecretOf = () => browserSecret.reveal();
    const callback = await unboundIn(() => completeConnect(service, { provider, query, browserSecretOf }));
    const attempt = await service.prisma.connectAttempt.findFirstOrThrow({ where: { id } });
    return { launch, callback, attempt };
  }

  test("finds the attempt only by the browser's token", async () => {
    service.fakes.PROVIDER_A.account = {
      ...service.fakes.PROVIDER_A.account,
      providerAccountId: "provider_a-account-1",
    };
    expect(await unboundIn(() => startConnect(service, application))).toEqual([]);
    const first = await link();
    expect(first.attempt).toMatchObject({ status: "COMPLETED" });
    const reconnected = await link(first.attempt.connectionId);
    expect(reconnected.attempt).toMatchObject({ status: "COMPLETED", connectionId: first.attempt.connectionId });
    for (const { launch, callback } of [first, reconnected]) {
      expect(launch).toEqual(["connect_attempt"]);
      expect(callback).toEqual(["connect_attempt"]);
    }
  });

  test("that fails searches other applications for connections that share the grant, also when the grant is revoked", async () => {
    service.fakes.PROVIDER_A.account = { ...service.fakes.PROVIDER_A.account, providerAccountId: "no tester" };
    const { callback, attempt } = await link();
    expect(attempt).toMatchObject({ resultCode: "NOT_A_TESTER" });
    expect(callback).toEqual(["connect_attempt", "connection"]);
    const grant = await service.prisma.grant.findFirstOrThrow({ where: { attemptId: attempt.id } });
    expect(await unboundIn(() => TASKS.revokeOrphanedGrant.run(service, grant))).toEqual(["connection"]);
    expect(await service.prisma.grant.findFirst({ where: { id: grant.id } })).toBeNull();
  });
});

test("a disconnect, with siblings, their re-check and the erasure", async () => {
  const provider = "PROVIDER_B";
  service.fakes.PROVIDER_B.reset();
  const connections = [];
  for (const accountId of ["leaving", "sibling"]) connections.push(await connect({ provider, accountId }));
  const [leaving] = connections as [Connection];
  const ids = { revokeJobId: "", eraseJobId: "" };
  const disconnected = await unboundIn(async () => Object.assign(ids, await disconnect(service, application, leaving)));
  expect(disconnected).toEqual([]);
  await run("erase", ids.eraseJobId);
  // Only the re-check of connections that share the account through another application.
  expect(await unboundIn(() => run("revoke", ids.revokeJobId))).toEqual(["connection"]);
  const { id } = await service.prisma.job.findFirstOrThrow({ where: { kind: "RECHECK", status: "QUEUED" } });
  expect(await unboundIn(() => run("recheck", id))).toEqual([]);
  service.clock.advance(HOUR_MS);
  expect(await unboundIn(() => run("erase", ids.eraseJobId))).toEqual([]);
  const where = { id: leaving.id };
  expect(await service.prisma.connection.findFirst({ where })).toBeNull();
});

test("a sign-in", async () => {
  const signIn = { ...service, issuer: { url: "", clientId: "", clientSecret: new Secret("secret") } };
  const idpIdentityEnabled = true;
  await service.prisma.application.update({ where: { id: application.id }, data: { idpIdentityEnabled } });
  const caller = await authenticate(service, [`Bearer ${application.key}`]);
  const found = await unboundIn(async () => {
    const { id, resultProof } = await startIdentity(signIn, { ...application, caller });
    await service.prisma.identityAttempt.updateMany({
      where: { id, applicationId: application.id },
      data: { status: "FAILED" },
    });
    const input = { id, tenantKey: application.tenantKey, resultProof: resultProof.reveal() };
    expect(await redeemIdentityResult(signIn, caller, input)).toMatchObject({ status: "FAILED" });
  });
  expect(found).toEqual([]);
});

test.each([
  ["SELECT 1 FROM job WHERE id = $1 FOR UPDATE", ["job"]],
  ["SELECT 1 FROM job WHERE id = $1 AND application_id = $2", []],
  ["SELECT 1 FROM job j JOIN connection c ON c.id = j.connection_id WHERE j.application_id = $1", ["connection"]],
  [
    "SELECT 1 FROM job j JOIN connection c USING (id) WHERE j.application_id = $1 AND c.application_id = j.application_id",
    [],
  ],
  ["SELECT 1 FROM job WHERE application_id = $1 AND EXISTS (SELECT 1 FROM connection WHERE id = $2)", ["connection"]],
  ["SELECT 1 FROM job WHERE application_id = $1 OR id = $2", ["job"]],
  ["SELECT 1 FROM job WHERE application_id IN ($1, $2)", ["job"]],
  ["SELECT 1 FROM job WHERE (id, application_id) IN (($1, $2))", []],
  ["INSERT INTO job (id) VALUES ($1)", ["job"]],
  ['INSERT INTO "public"."job" AS j ("id") VALUES ($1)', ["job"]],
  ['UPDATE "public"."job" SET "kind" = $1 WHERE "public"."job"."id" = $2', ["job"]],
  ["SELECT 1 FROM job j JOIN connection c ON c.application_id = j.application_id", ["job", "connection"]],
  [
    "WITH old AS (DELETE FROM job WHERE id = $1 RETURNING id) INSERT INTO job (id, application_id) VALUES ($1, $2)",
    ["job"],
  ],
])("control: %s", async (text, tables) => {
  expect(await unboundTables(service.pool, text)).toEqual(tables);
});
