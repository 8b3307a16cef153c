import { afterAll, beforeAll, expect, test } from "vitest";
import { createApplication, createRegistrations } from "../modules/testing/builders.ts";
import { createConnection } from "../modules/testing/connections.ts";
import type { TestService } from "../modules/testing/testService.ts";
import { startTestService } from "../modules/testing/testService.ts";
import { prepareTaskQueues } from "./boss.ts";
import { runMinuteSweeps } from "./sweeps.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test("runs the other sweeps when one fails", async () => {
  const registrations = await createRegistrations(service);
  const application = await createApplication(service);
  const connection = await createConnection(service, application, registrations);
  const due = service.clock.current;
  await service.prisma.connection.update({ where: { id: connection.id }, data: { nextScanAt: due } });
  // The queue's tables do not exist yet, so the sweep for lost tasks fails.
  await runMinuteSweeps(service);
  expect(service.enqueued.map(({ task }) => task)).toEqual(["scan"]);

  await prepareTaskQueues(service.pool);
  await runMinuteSweeps(service);
  // This queue only records tasks, so the job's task counts as lost.
  expect(service.enqueued.map(({ task }) => task)).toEqual(["scan", "scan"]);
});
