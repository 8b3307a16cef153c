import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import type { GraphQLAnswer } from "../http/testing/testServer.ts";
import { createApplication, type TestApplication } from "../modules/testing/builders.ts";
import { createConnection, scopeOf } from "../modules/testing/connections.ts";
import { whileLocked } from "../modules/testing/outcomes.ts";
import { type RealTimeService, startRealTimeService } from "../worker/testing/realTimeService.ts";
import { type ApiProcess, READINESS, startApi } from "./testing/apiProcess.ts";

const PARALLEL_READS = 2;
const POSTS = `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) { items { id } } }`;

let real: RealTimeService;
let api: ApiProcess;
const processes = new AsyncDisposableStack();

beforeAll(async () => {
  real = await startRealTimeService();
  api = await startApi(processes, real);
});
afterAll(async () => {
  await processes.disposeAsync();
  await real?.service.close();
});

test("while content_item is locked, the process is ready, and each read of posts ends with a code and seconds", async () => {
  const applications = [real.application, await createApplication(real.base, "other")];
  const connections: Connection[] = [];
  for (const [index, application] of applications.entries())
    connections.push(await createConnection(real.service, application, real.registrations, { accountId: `${index}` }));
  const now = await real.service.clock.now();
  const read = ({ key }: TestApplication, connection: Connection): Promise<GraphQLAnswer> => {
    const window = { publishedAfter: new Date(now.getTime() - 86_400_000), publishedBefore: now, first: 10 };
    return api.call(POSTS, { scope: scopeOf(connection), connectionId: connection.id, window }, key);
  };
  const readAll = () =>
    Promise.all(
      applications.flatMap((application, index) =>
        Array.from({ length: PARALLEL_READS }, () => read(application, connections[index] as Connection)),
      ),
    );

  // The lock is released only after all reads have ended: only their own timeouts can end them.
  await whileLocked(real.service, "LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE", [], async () => {
    const reads = readAll();
    let haveEnded = false;
    void reads.then(() => {
      haveEnded = true;
    });
    do expect(await api.status("/readyz")).toBe(200);
    while (!haveEnded);
    for (const { code, errors } of await reads)
      expect([code, errors[0]?.extensions.retryAfterSeconds]).toEqual(["UPSTREAM_UNAVAILABLE", 1]);
  });
  for (const { code } of await readAll()) expect(code).toBeUndefined();
  expect((await api.call(READINESS)).code).toBeUndefined();
});
