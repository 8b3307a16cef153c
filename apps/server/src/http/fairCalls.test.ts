import { eventually, type LocalServer } from "@social-connect/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import type { CallLanes } from "../graphql/shared/callLanes.ts";
import { createAdminMember, createApiKey } from "../modules/testing/admins.ts";
import { createApplication, type TestApplication } from "../modules/testing/builders.ts";
import { createConnection, scopeOf } from "../modules/testing/connections.ts";
import {
  application,
  connect,
  registrations,
  service,
  testNumber,
  useApplicationPerTest,
} from "../modules/testing/fixtures.ts";
import { whileLocked } from "../modules/testing/outcomes.ts";
import type { ReadQueries } from "../platform/database/readConnections.ts";
import type { Lane, LaneCounts } from "../platform/load/fairShare.ts";
import { adminQuery, startAdminServer } from "./testing/adminServer.ts";
import { bearer, type GraphQLAnswer, NO_PANEL, post, query, startTestServer, testLanes } from "./testing/testServer.ts";

useApplicationPerTest();

const LANE: Lane = { slots: 6, share: 2, shareAlone: 4 };
/** Two responses immediately, then one each 20 ms. Each takes far more than the process needs for it on a busy machine. */
const RESPONSES = { msPerSecond: 50_000_000, burstMs: 2_000_000, leastMs: 1_000_000 };
const POSTS = `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) { items { id } } }`;
const CONNECTIONS = "query ($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";

let lanes: CallLanes;
let server: LocalServer;
let connection: Connection;

beforeEach(async () => {
  lanes = testLanes(service, LANE);
  server = await startTestServer(service, lanes);
  connection = await connect();
});
afterEach(() => server.close());

test("of 150 parallel calls some are in progress, more wait, the others are RATE_LIMITED, and all get an answer", async () => {
  const answers: GraphQLAnswer[] = [];
  const all = await whilePostsLocked(async () => {
    const sent = Array.from({ length: 150 }, async () => answers.push(await readPosts()));
    await eventually(async () => expect(answers).toHaveLength(82));
    expect(counts()).toEqual({ inProgress: 4, waiting: 64, refused: 82 });
    for (const { status, data, errors } of answers) {
      expect([status, data]).toEqual([200, null]);
      expect(errors).toMatchObject([{ extensions: { code: "RATE_LIMITED", retryAfterSeconds: 1 } }]);
      expect(errors[0]?.extensions.correlationId).toMatch(/^[0-9a-f-]{36}$/);
    }
    return sent;
  });
  await Promise.all(all);
  expect(answers.filter(({ data }) => data?.content != null)).toHaveLength(68);
  expect(counts()).toEqual({ inProgress: 0, waiting: 0, refused: 82 });
});

test("another application is served during the flood", async () => {
  const other = await createApplication(service, `other-${testNumber}`);
  await createConnection(service, other, registrations, { accountId: "other" });
  const all = await whilePostsLocked(async () => {
    const sent = Array.from({ length: 68 }, () => readPosts());
    await eventually(async () => expect(counts()).toMatchObject({ inProgress: 4, waiting: 64 }));
    expect((await list(other)).data.connections.items).toHaveLength(1);
    return sent;
  });
  for (const { code } of await Promise.all(all)) expect(code).toBeUndefined();
});

test("the root fields of a document are read at most as many at a time as its application may", async () => {
  const aliases = Array.from({ length: 8 }, (_, index) => `a${index}: connections(scope: $scope) { items { id } }`);
  const mostReadsWith = async (lane: Lane) => {
    let [reading, most] = [0, 0];
    const hotReads: ReadQueries = {
      query: async (statement) => {
        reading += 1;
        most = Math.max(most, reading);
        return service.hotReads.query<never>(statement).finally(() => {
          reading -= 1;
        });
      },
    };
    const counted = { ...service, hotReads };
    const own = await startTestServer(counted, testLanes(counted, lane));
    const document = `query ($scope: SubjectScope!) { ${aliases.join(" ")} }`;
    const { data } = await query(own, application.key, document, { scope: application.scope });
    await own.close();
    const page = { items: [{ id: connection.id }] };
    expect(data).toEqual(Object.fromEntries(aliases.map((_, index) => [`a${index}`, page])));
    return most;
  };
  expect(await mostReadsWith(LANE)).toBe(4);
  // The control.
  expect(await mostReadsWith({ ...LANE, slots: 8, shareAlone: 8 })).toBe(8);
});

test("only an authenticated call uses the application's share", async () => {
  const [keyId] = application.key.split(".");
  await whilePostsLocked(async () => {
    const forged = Array.from({ length: 100 }, () => readPosts(`${keyId}.${"0".repeat(64)}`));
    for (const { code } of await Promise.all(forged)) expect(code).toBe("UNAUTHENTICATED");
    expect(counts()).toEqual({ inProgress: 0, waiting: 0, refused: 0 });
    return [];
  });
});

test("a waiting call whose caller disconnects leaves the queue, and its slot goes to the next", async () => {
  const leaving = new AbortController();
  const [all] = await whilePostsLocked(async () => {
    const sent = Array.from({ length: 5 }, () => readPosts());
    await eventually(async () => expect(counts()).toMatchObject({ inProgress: 4, waiting: 1 }));
    const left = readPosts(application.key, leaving.signal).catch((error: Error) => error.name);
    await eventually(async () => expect(counts().waiting).toBe(2));
    leaving.abort();
    expect(await left).toBe("AbortError");
    await eventually(async () => expect(counts().waiting).toBe(1));
    return [sent];
  });
  for (const { code } of await Promise.all(all ?? [])) expect(code).toBeUndefined();
  expect(counts()).toMatchObject({ inProgress: 0, waiting: 0 });
});

test("the slot of a call in progress whose caller disconnects is free when its work ends", async () => {
  const leaving = new AbortController();
  await whilePostsLocked(async () => {
    const left = readPosts(application.key, leaving.signal).catch((error: Error) => error.name);
    await eventually(async () => expect(counts().inProgress).toBe(1));
    leaving.abort();
    expect(await left).toBe("AbortError");
    expect(counts().inProgress).toBe(1);
    return [];
  });
  await eventually(async () => expect(counts()).toMatchObject({ inProgress: 0 }));
});

test("an admin's calls have a limit too, with the code of the admin API", async () => {
  const member = await createAdminMember(service);
  const { key } = await createApiKey(service, member, "READ");
  const admin = await startAdminServer(service, {}, NO_PANEL, LANE);
  const adminCounts = () => totals(admin.lanes.admin.counts());
  const read = () => adminQuery(admin, key, "query Clients { adminClients { items { id } } }");
  // The first use of a key is recorded.
  expect((await read()).data.adminClients.items.length).toBeGreaterThan(0);
  const answers: GraphQLAnswer[] = [];
  const all = await whileLocked(service, "LOCK TABLE application IN ACCESS EXCLUSIVE MODE", [], async () => {
    const sent = Array.from({ length: 70 }, async () => answers.push(await read()));
    await eventually(async () => expect(answers).toHaveLength(2));
    expect(adminCounts()).toEqual({ inProgress: 4, waiting: 64, refused: 2 });
    for (const { code } of answers) expect(code).toBe("UPSTREAM_UNAVAILABLE");
    return sent;
  });
  await Promise.all(all);
  await admin.close();
  expect(answers.filter(({ data }) => data?.adminClients != null)).toHaveLength(68);
});

test.for(["invalid", "forged", "failed", "page", "method", "admin"] as const)(
  "responses that need no slot (%s) are sent at a limited rate while another application calls",
  async (kind) => {
    const limited = testLanes(service, undefined, RESPONSES);
    const share = kind === "failed" ? limited.throttle : limited.admission;
    const throttled = await startTestServer(service, limited);
    const other = await createApplication(service, `other-${testNumber}`);
    const callOther = () => query(throttled, other.key, CONNECTIONS, { scope: other.scope });
    const { key, scope } = application;
    const forgedKey = `${key.split(".")[0]}.${"0".repeat(64)}`;
    const send = {
      invalid: () => query(throttled, key, "{ unknown }"),
      forged: () => query(throttled, forgedKey, CONNECTIONS, { scope }),
      failed: () => query(throttled, key, CONNECTIONS, { scope: { ...scope, tenantKey: "" } }),
      page: () => fetch(`${throttled.url}/unknown`),
      method: () => fetch(`${throttled.url}/graphql`),
      admin: () => post(`${throttled.url}/api/admin/graphql`, { query: "{ __typename }" }),
    }[kind];
    await callOther();
    let answers = 0;
    const all = Array.from({ length: 6 }, () => send().then(() => (answers += 1)));
    await eventually(async () => expect([answers, share.waiting]).toEqual([2, 4]));
    // The control: calls that take a slot are not delayed.
    for (let call = 0; call < 6; call += 1) expect((await callOther()).code).toBeUndefined();
    for (let sent = 3; sent <= 6; sent += 1) {
      service.clock.advance(20);
      await eventually(async () => expect([answers, share.waiting]).toEqual([sent, 6 - sent]));
    }
    await Promise.all(all);
    await throttled.close();
  },
);

test("calls without a key have a separate rate, which is four times higher for successful calls", async () => {
  const limited = testLanes(service, undefined, RESPONSES);
  const throttled = await startTestServer(service, limited);
  expect((await list(application, throttled)).code).toBeUndefined();
  let answers = 0;
  const all = Array.from({ length: 13 }, () =>
    query(throttled, null, "{ status { ok } }").then(({ data }) => {
      expect(data).toEqual({ status: { ok: true } });
      answers += 1;
    }),
  );
  await eventually(async () => expect([answers, limited.admission.waiting]).toEqual([8, 5]));
  service.clock.advance(20);
  await eventually(async () => expect([answers, limited.admission.waiting]).toEqual([12, 1]));
  service.clock.advance(20);
  await Promise.all(all);
  await throttled.close();
});

function counts() {
  return totals(lanes.query.counts());
}

function totals(counted: LaneCounts) {
  const sum = (numbers: ReadonlyMap<string, number>) => [...numbers.values()].reduce((one, other) => one + other, 0);
  return { inProgress: sum(counted.inProgress), waiting: sum(counted.waiting), refused: sum(counted.refused) };
}

function whilePostsLocked<T>(work: () => Promise<T>): Promise<T> {
  return whileLocked(service, "LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE", [], work);
}

function readPosts(key: string = application.key, signal?: AbortSignal): Promise<GraphQLAnswer> {
  const now = service.clock.current;
  const window = {
    publishedAfter: new Date(now.getTime() - 86_400_000).toISOString(),
    publishedBefore: now.toISOString(),
    first: 10,
  };
  const variables = { scope: scopeOf(connection), connectionId: connection.id, window };
  return post(`${server.url}/graphql`, { query: POSTS, variables }, bearer(key), signal);
}

function list({ key, scope }: TestApplication, at = server): Promise<GraphQLAnswer> {
  return query(at, key, CONNECTIONS, { scope });
}
