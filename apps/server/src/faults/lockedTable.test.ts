import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import type { TestApplication } from "../modules/testing/builders.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { createConnection, scopeOf } from "../modules/testing/connections.ts";
import { whileLocked } from "../modules/testing/outcomes.ts";
import type { RealTimeService } from "../worker/testing/realTimeService.ts";
import { startRealTimeService } from "../worker/testing/realTimeService.ts";
import type { Answer } from "./testing/apiProcess.ts";
import { ApiProcess, READINESS } from "./testing/apiProcess.ts";
import { Processes } from "./testing/processes.ts";

const READERS = 4;
const PARALLEL_READS = 10;
const PROBES = 5;
const POSTS = `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) { items { id } } }`;
const CONNECTIONS = "query ($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";

let real: RealTimeService;
let api: ApiProcess;
const processes = new Processes();

beforeAll(async () => {
  real = await startRealTimeService();
  api = await ApiProcess.start(processes, real, { CALL_QUEUE_SECONDS: "2" });
});
afterAll(async () => {
  await processes.end();
  await real?.service.close();
});

test("while content_item is locked and applications read posts, readiness and other operations of all of them answer", async () => {
  const applications = [real.application];
  for (let index = 1; index <= READERS; index += 1)
    applications.push(await createApplication(real.base, `reader-${index}`));
  const connections: Connection[] = [];
  for (const [index, application] of applications.entries())
    connections.push(await createConnection(real.service, application, real.registrations, { accountId: `${index}` }));
  const readers = applications.slice(1);
  const now = await real.service.clock.now();
  const answers: Answer[] = [];
  const read = async ({ key }: TestApplication, connection: Connection) => {
    const window = { publishedAfter: new Date(now.getTime() - 86_400_000), publishedBefore: now, first: 10 };
    answers.push(await api.call(POSTS, { scope: scopeOf(connection), connectionId: connection.id, window }, key));
  };

  await whileLocked(real.service, "LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE", [], async () => {
    const reads = connections
      .slice(1)
      .flatMap((connection, index) =>
        Array.from({ length: PARALLEL_READS }, () => read(readers[index] as TestApplication, connection)),
      );
    for (let probe = 0; probe < PROBES; probe += 1) {
      expect(await api.status("/readyz")).toBe(200);
      for (const { key, scope } of applications) {
        const { code, data } = await api.call(CONNECTIONS, { scope }, key);
        expect([code, data]).toEqual([null, { connections: { items: [{ id: expect.any(String) }] } }]);
      }
      expect((await api.call(READINESS)).code).toBeNull();
    }
    // The control: the reads are blocked. Each ends with an error by its own timeouts, before the lock does.
    await Promise.all(reads);
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(["UPSTREAM_UNAVAILABLE", "RATE_LIMITED"]));
    for (const { code, extensions } of answers)
      if (code === "RATE_LIMITED") expect(extensions.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });
  expect(answers).toHaveLength(READERS * PARALLEL_READS);
  answers.length = 0;
  await read(readers[0] as TestApplication, connections[1] as Connection);
  expect(answers).toMatchObject([{ code: null }]);
});
