import { beforeAll, beforeEach, expect, test } from "vitest";
import { refresh } from "../modules/testing/calls.ts";
import { application, connect, registrations, service, useApplication } from "../modules/testing/fixtures.ts";
import { createConnectAttempt, createPendingGrant } from "../modules/testing/rows.ts";
import { runToEnd } from "../modules/testing/runToEnd.ts";
import { revokeOrphanedGrant } from "../modules/testing/tasks.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { prepareTaskQueues } from "./boss.ts";
import { REQUEUE_LOST_TASKS, REQUEUE_ORPHANED_GRANTS } from "./requeue.ts";
import { createTaskQueue } from "./taskQueue.ts";

useApplication();

const { logger, lines } = recordingLogger("info");

beforeAll(() => prepareTaskQueues(service.pool));
beforeEach(async () => {
  await service.pool.query("DELETE FROM pgboss.job");
  lines.length = 0;
});

/** The service with the queue, which calls `meanwhile` once before it sends the first task. */
function interrupted(meanwhile: () => Promise<unknown>): typeof service {
  const queue = createTaskQueue(service.pool, service.clock);
  let isFirst = true;
  const enqueue: typeof queue.enqueue = async (...args) => {
    if (isFirst) await meanwhile();
    isFirst = false;
    await queue.enqueue(...args);
  };
  return { ...service, logger, queue: { ...queue, enqueue } };
}

async function enqueued(): Promise<string[]> {
  const { rows } = await service.pool.query<{ id: string }>("SELECT singleton_key AS id FROM pgboss.job");
  return rows.map(({ id }) => id);
}

async function orphan(): Promise<string> {
  service.clock.advance(1);
  const attempt = await createConnectAttempt(service, application, registrations, { status: "FAILED" });
  return (await createPendingGrant(service, attempt)).id;
}

test("does nothing for a grant that was revoked, or a job that ended or was deleted, after they were found", async () => {
  const grants = [await orphan(), await orphan()];
  const revokeNext = () => service.prisma.grant.deleteMany({ where: { id: grants[1] as string } });
  await runToEnd(interrupted(revokeNext), [REQUEUE_ORPHANED_GRANTS]);
  expect([await enqueued(), lines]).toEqual([[grants[0]], []]);

  await service.pool.query("DELETE FROM pgboss.job");
  const jobs: string[] = [];
  for (const accountId of ["first", "ended", "deleted"]) {
    service.clock.advance(1);
    jobs.push((await refresh(service, application, await connect({ accountId }))).id);
  }
  const [first, ended, deleted] = jobs as [string, string, string];
  const endNext = async () => {
    await service.prisma.job.updateMany({ where: { id: ended }, data: { status: "CANCELED" } });
    await service.prisma.job.deleteMany({ where: { id: deleted } });
  };
  await runToEnd(interrupted(endNext), [REQUEUE_LOST_TASKS]);
  expect([await enqueued(), lines]).toEqual([[first], []]);
});

test("a grant that was revoked while its revoke failed is not tried again", async () => {
  const id = await orphan();
  service.fakes.PROVIDER_A.before.set("revoke", async () => {
    await service.prisma.grant.deleteMany({ where: { id } });
    service.fakes.PROVIDER_A.failNext("revoke", "unavailable");
  });
  await revokeOrphanedGrant({ ...service, queue: createTaskQueue(service.pool, service.clock) }, id);
  service.fakes.PROVIDER_A.reset();
  expect(await enqueued()).toEqual([]);
});
