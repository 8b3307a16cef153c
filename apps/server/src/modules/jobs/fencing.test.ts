import { beforeEach, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { application, connect, service } from "../testing/applicationPerTest.ts";
import * as calls from "../testing/calls.ts";
import { connection, disconnect, refresh, storedJob, storedPosts } from "../testing/connectionPerTest.ts";
import { postOf, postsOf } from "../testing/connections.ts";
import { gate } from "../testing/gate.ts";
import { claimJob, runScan } from "../testing/tasks.ts";

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
  const disconnects = [connection, second, connection].map((each) => calls.disconnect(service, application, each));
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
