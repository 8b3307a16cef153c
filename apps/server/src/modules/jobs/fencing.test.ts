import type { PoolClient } from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import * as calls from "../testing/calls.ts";
import { postOf, postsOf } from "../testing/connections.ts";
import {
  application,
  connect,
  connection,
  disconnect,
  refresh,
  service,
  storedConnection,
  storedJob,
  storedPost,
  storedPosts,
  useConnectionPerTest,
} from "../testing/fixtures.ts";
import { gate } from "../testing/gate.ts";
import { untilNotBusy } from "../testing/outcomes.ts";
import { claimJob, runScan } from "../testing/tasks.ts";
import { contentUpsert, type Observed } from "./store.ts";

useConnectionPerTest();

beforeEach(() => {
  service.fakes.PROVIDER_A.posts = postsOf(5, service.clock.current);
});

test("discards the result of a superseded attempt", async () => {
  const { id, finish } = await heldScan();
  await runScan(service, id);
  const written = await storedPosts();
  expect(written).toHaveLength(5);

  service.fakes.PROVIDER_A.posts = [postOf("stale", service.clock.current, 1)];
  await finish();
  expect(await storedPosts()).toEqual(written);
  expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
});

test("discards the result of a scan after a concurrent disconnect, and cancels the job", async () => {
  const { id, finish } = await heldScan();
  await disconnect();
  await finish();
  expect(await storedPosts()).toEqual([]);
  expect(await storedJob(id)).toMatchObject({ status: "CANCELED", errorCode: "DISCONNECTED" });
});

test("discards the result of a scan after a concurrent suspension, and fails the job with the reason", async () => {
  const { id, finish } = await heldScan();
  await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { status: "SUSPENDED" } });
  await finish();
  expect(await storedPosts()).toEqual([]);
  expect(await storedJob(id)).toMatchObject({ status: "FAILED", errorCode: "AUTHORIZATION_SUSPENDED" });
});

test("stores the result of a scan after a concurrent change of the schedule", async () => {
  const { id, finish } = await heldScan();
  const nextScanAt = new Date(service.clock.current.getTime() + 3_600_000);
  await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { nextScanAt } });
  await finish();
  expect(await storedPosts()).toHaveLength(5);
  expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED" });
  expect(await storedConnection()).toMatchObject({ syncStatus: "READY", nextScanAt });
});

test("stores no metrics if the registration stopped offering them during the scan", async () => {
  const { finish } = await heldScan();
  const where = { id: connection.registrationId };
  const { capabilities } = await service.prisma.providerRegistration.findUniqueOrThrow({ where });
  const fewer = capabilities.filter((capability) => capability !== "CONTENT_METRICS");
  await service.prisma.providerRegistration.update({ where, data: { capabilities: fewer } });
  try {
    await finish();
    expect((await storedPosts()).map(({ metrics }) => metrics)).toEqual(Array.from({ length: 5 }, () => []));
  } finally {
    await service.prisma.providerRegistration.update({ where, data: { capabilities } });
  }
});

describe("while the result of a scan waits for the connection's lock", () => {
  test("another attempt may claim the job: the result is discarded", async () => {
    const { id, finish } = await heldScan();
    await whileLocked(finish, (client) => client.query("UPDATE job SET attempt = attempt + 1 WHERE id = $1", [id]));
    expect(await storedPosts()).toEqual([]);
    expect(await storedJob(id)).toMatchObject({ status: "RUNNING", attempt: 2 });
  });

  test("the connection may be suspended: the result is discarded, and the job fails with the reason", async () => {
    const { id, finish } = await heldScan();
    await whileLocked(finish, (client) =>
      client.query("UPDATE connection SET status = 'SUSPENDED' WHERE id = $1", [connection.id]),
    );
    expect(await storedPosts()).toEqual([]);
    expect(await storedJob(id)).toMatchObject({ status: "FAILED", errorCode: "AUTHORIZATION_SUSPENDED" });
  });

  test.each([
    ["older", -1, "Title of post-1"],
    ["newer", 1, "concurrent"],
  ])("another read may store an %s observation of a post: the newer one stays", async (_, minutes, title) => {
    const { id, finish } = await heldScan();
    const observedAt = new Date(service.clock.current.getTime() + minutes * 60_000);
    const observed = [{ item: { ...postOf("post-1", observedAt, 1), title: "concurrent" }, observedAt }];
    await whileLocked(finish, async (client) => {
      const { text, values } = statementOf(observed);
      await client.query(text, [...values]);
    });
    expect(await storedPost("post-1")).toMatchObject({ title });
    expect(await storedPosts()).toHaveLength(5);
    expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED" });
  });
});

test("makes no provider call for a connection that was suspended before the scan started", async () => {
  const { id } = await refresh();
  await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { status: "SUSPENDED" } });
  await runScan(service, id);
  expect(service.fakes.PROVIDER_A.countOf("listContent")).toBe(0);
  expect(await storedJob(id)).toMatchObject({ status: "FAILED", errorCode: "AUTHORIZATION_SUSPENDED" });
});

test("control: stores the result of the same scan without interference", async () => {
  const { finish } = await heldScan();
  await finish();
  expect(await storedPosts()).toHaveLength(5);
});

test("completes a job once when five workers claim it concurrently, without duplicate posts", async () => {
  const { id } = await refresh();
  await Promise.all(Array.from({ length: 5 }, () => runScan(service, id)));
  expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED" });
  expect(await storedPosts()).toHaveLength(5);
  const { attempt } = await storedJob(id);
  await runScan(service, id);
  expect((await storedJob(id)).attempt).toBe(attempt);
});

test("fails a job that crashes every worker", async () => {
  const { id } = await refresh();
  service.fakes.PROVIDER_A.before.set("listContent", () => new Promise(() => undefined));
  // Claims the job and never completes it.
  for (let workers = 0; workers < 20; workers += 1) await claimJob(service, id);
  await runScan(service, id);
  expect(await storedJob(id)).toMatchObject({ status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE" });
});

test("fails a job whose result cannot be stored", async () => {
  const { id } = await refresh();
  // Exceeds the maximum size of an index entry.
  const providerContentId = Array.from({ length: 9_000 }, newId).join("");
  service.fakes.PROVIDER_A.posts = [postOf(providerContentId, service.clock.current, 1)];
  await runScan(service, id);
  expect(await storedJob(id)).toMatchObject({ status: "QUEUED", failures: 1 });
});

test("runs many disconnects and scans concurrently without deadlocks", async () => {
  const second = await connect({ accountId: "another" });
  const jobs = await Promise.all([connection, second].map((each) => calls.refresh(service, application, each)));
  const scans = jobs.flatMap(({ id }) => [runScan(service, id), runScan(service, id)]);
  const disconnects = [connection, second, connection].map((each) =>
    untilNotBusy(() => calls.disconnect(service, application, each)),
  );
  const settled = await Promise.allSettled([...scans, ...disconnects]);
  expect(settled.filter(({ status }) => status === "rejected")).toEqual([]);
});

/** A scan that waits for the provider's response until it is finished. */
async function heldScan() {
  const { id } = await refresh();
  const held = gate();
  service.fakes.PROVIDER_A.before.set("listContent", held.passFirst);
  const scan = runScan(service, id);
  await held.reached;
  const finish = async () => {
    held.open();
    await scan;
  };
  return { id, finish };
}

/** Starts `write` while another transaction has locked the connection, which then makes a change and commits. */
async function whileLocked(
  write: () => Promise<void>,
  change: (client: PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await service.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT FROM connection WHERE id = $1 FOR UPDATE", [connection.id]);
    const written = write();
    const isWaiting = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))";
    while ((await client.query(isWaiting)).rowCount === 0);
    await change(client);
    await client.query("COMMIT");
    await written;
  } finally {
    client.release();
  }
}

function statementOf(observed: readonly Observed[]): Prisma.Sql {
  const { queries, insert } = contentUpsert(connection, observed, true);
  return Prisma.sql`WITH ${queries} ${insert}`;
}
