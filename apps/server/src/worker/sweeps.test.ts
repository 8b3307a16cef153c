import { expect, test } from "vitest";
import { runSweeps } from "../modules/sweeps/runSweeps.ts";
import { connect, service } from "../modules/testing/applicationOfFile.ts";
import { prepareTaskQueues } from "./boss.ts";
import { MINUTE_SWEEPS } from "./sweeps.ts";

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
