import { expect, test } from "vitest";
import { ENQUEUE_BACKGROUND_READS } from "../modules/jobs/enqueueBackgroundReads.ts";
import { PURGE_SWEEPS } from "../modules/retention/purge.ts";
import { runSweeps } from "../modules/sweeps/runSweeps.ts";
import { connect, service, useApplication } from "../modules/testing/fixtures.ts";
import { runToEnd } from "../modules/testing/runToEnd.ts";
import { newId } from "../platform/ids.ts";
import { prepareTaskQueues } from "./boss.ts";
import { FORGET_SWEEPS, MINUTE_SWEEPS } from "./sweeps.ts";

useApplication();

test("runs the other sweeps when one fails, and stores how each ended", async () => {
  const due = service.clock.current;
  await connect({ data: { nextScanAt: due } });
  // The queue's tables do not exist yet, so the sweep for lost tasks fails.
  await runSweeps(service, MINUTE_SWEEPS);
  expect(service.enqueued.map(({ task }) => task)).toEqual(["scan"]);
  const state = (name: string) => service.prisma.sweepState.findUnique({ where: { name } });
  expect(await state("requeueLostTasks")).toMatchObject({ succeededAt: null, failedAt: due, remaining: null });
  expect(await state("enqueueBackgroundReads")).toMatchObject({ succeededAt: due, handled: 1, remaining: 0 });

  await prepareTaskQueues(service.pool);
  await runSweeps(service, MINUTE_SWEEPS);
  // This queue only records tasks, so the job's task counts as lost.
  expect(service.enqueued.map(({ task }) => task)).toEqual(["scan", "scan"]);
  expect(await state("requeueLostTasks")).toMatchObject({ succeededAt: due, error: null, handled: 1 });
});

test("a row that cannot be changed or deleted stops no other row of its sweep", async () => {
  const now = service.clock.current;
  const longAgo = service.clock.fromNow(-31 * 24 * 3_600_000);
  const data = { displayName: "Name", profileObservedAt: longAgo, nextScanAt: longAgo };
  // The first in the order of both sweeps, one in the middle, and audit entries, which have no application.
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1) ids.push((await connect({ accountId: `account-${index}`, data })).id);
  const [first, , , middle] = ids;
  const earlier = new Date(longAgo.getTime() - 1);
  await service.prisma.connection.updateMany({
    where: { id: first as string },
    data: { profileObservedAt: earlier, nextScanAt: earlier },
  });
  const target = { targetType: "client", targetId: "client" };
  const entry = (at: Date) => ({ id: newId(), at, actor: "System", action: "test", ...target, summary: "test" });
  await service.prisma.auditEntry.createMany({ data: [entry(earlier), entry(longAgo), entry(longAgo)] });
  await service.prisma.$executeRawUnsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
  await service.prisma.$executeRawUnsafe(`CREATE TRIGGER refuse BEFORE UPDATE ON connection FOR EACH ROW
    WHEN (OLD.id IN ('${first}', '${middle}')) EXECUTE FUNCTION refuse()`);
  await service.prisma.$executeRawUnsafe(`CREATE TRIGGER refuse BEFORE DELETE ON audit_entry FOR EACH ROW
    WHEN (OLD.at = '${earlier.toISOString()}') EXECUTE FUNCTION refuse()`);
  const sweeps = [...PURGE_SWEEPS, ENQUEUE_BACKGROUND_READS];
  const state = (name: string) => service.prisma.sweepState.findUnique({ where: { name } });
  const left = async () => ({
    profiles: await service.prisma.connection.count({ where: { displayName: "Name" } }),
    scans: await service.prisma.job.count({ where: { connectionId: { in: ids } } }),
    entries: await service.prisma.auditEntry.count({ where: { action: "test" } }),
  });

  await runSweeps(service, sweeps);
  expect(await left()).toEqual({ profiles: 2, scans: 18, entries: 1 });
  expect(await state("expireProfiles")).toMatchObject({ failedAt: now, handled: 18, remaining: 2 });
  expect(await state("enqueueBackgroundReads")).toMatchObject({ failedAt: now, handled: 18, remaining: 2 });
  expect(await state("deleteAuditEntries")).toMatchObject({ failedAt: now, handled: 2, remaining: 1 });
  expect(await state("deleteJobs")).toMatchObject({ succeededAt: now, error: null });

  for (const table of ["connection", "audit_entry"])
    await service.prisma.$executeRawUnsafe(`DROP TRIGGER refuse ON ${table}`);
  await runSweeps(service, sweeps);
  expect(await left()).toEqual({ profiles: 0, scans: 20, entries: 0 });
  expect(await state("expireProfiles")).toMatchObject({ succeededAt: now, error: null, remaining: 0 });
});

test("forgets the states of sweeps that this version does not have, a day after their last run", async () => {
  const daysAgo = (days: number) => service.clock.fromNow(-days * 86_400_000);
  const states = [
    { name: "removed", ranAt: daysAgo(2) },
    { name: "newer", ranAt: daysAgo(0.5) },
    { name: "deleteJobs", ranAt: daysAgo(40) },
  ];
  await service.prisma.sweepState.deleteMany();
  await service.prisma.sweepState.createMany({ data: states.map((state) => ({ ...state, handled: 0, remaining: 0 })) });
  await runToEnd(service, [FORGET_SWEEPS]);
  const left = await service.prisma.sweepState.findMany({ orderBy: { name: "asc" } });
  expect(left.map(({ name }) => name)).toEqual(["deleteJobs", "newer"]);
});
