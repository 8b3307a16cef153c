import { expect, test } from "vitest";
import { connect, service } from "../modules/testing/applicationOfFile.ts";
import { prepareTaskQueues } from "./boss.ts";
import { runMinuteSweeps } from "./sweeps.ts";

test("runs the other sweeps when one fails", async () => {
  await connect({ data: { nextScanAt: service.clock.current } });
  // The queue's tables do not exist yet, so the sweep for lost tasks fails.
  await runMinuteSweeps(service);
  expect(service.enqueued.map(({ task }) => task)).toEqual(["scan"]);

  await prepareTaskQueues(service.pool);
  await runMinuteSweeps(service);
  // This queue only records tasks, so the job's task counts as lost.
  expect(service.enqueued.map(({ task }) => task)).toEqual(["scan", "scan"]);
});
