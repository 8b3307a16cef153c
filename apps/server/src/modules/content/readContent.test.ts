import type { QueryConfig } from "pg";
import { describe, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { ReadStatement } from "../../platform/database/readConnections.ts";
import { PURGE_SWEEPS } from "../retention/purge.ts";
import type { Service } from "../service.ts";
import { createApplication } from "../testing/builders.ts";
import { type ConnectionOptions, scopeOf } from "../testing/connections.ts";
import { application, connect, service, useApplication } from "../testing/fixtures.ts";
import { createJob, createPost } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { readContent, readContentItem } from "./readContent.ts";

useApplication();

const DAY_MS = 86_400_000;

async function setBound(connectionId: string, bound: Date): Promise<void> {
  await service.pool.query("UPDATE content_item SET observed_since = $1 WHERE connection_id = $2", [
    bound,
    connectionId,
  ]);
}

let subjects = 0;
/** A connection with posts, the newest published a minute ago and the others a minute apart. */
async function connected(posts: number, options: ConnectionOptions = {}): Promise<Connection> {
  const connection = await connect({ externalSubjectId: `subject-${++subjects}`, ...options });
  const metricsObservedAt = service.clock.current;
  const metrics = [{ name: "VIEWS", value: "7", availability: "AVAILABLE", reason: null, sourceField: "views" }];
  for (let index = 0; index < posts; index += 1) {
    const publishedAt = service.clock.fromNow(-(index + 1) * 60_000);
    const post = { providerContentId: `post-${index}`, title: `Post ${index}`, publishedAt };
    await createPost(service, connection, { ...post, metrics, metricsObservedAt });
  }
  return connection;
}

function lastDays(days: number, first = 50, after: string | null = null) {
  const { clock } = service;
  return { publishedAfter: clock.fromNow(-days * DAY_MS), publishedBefore: clock.current, first, after };
}

function read(connection: Connection, window: ReturnType<typeof lastDays>) {
  return readContent(service, application.caller, scopeOf(connection), connection.id, window);
}

function readItem(connection: Connection, providerContentId: string) {
  return readContentItem(service, application.caller, scopeOf(connection), connection.id, providerContentId);
}

describe("a page of content", () => {
  test("paginates a window newest first without duplicates while newer posts arrive", async () => {
    const connection = await connected(23);
    const titles: (string | null)[] = [];
    let after: string | null = null;
    const window = lastDays(1, 10);
    for (let page = 0; page < 5; page += 1) {
      const { items, pageInfo } = await read(connection, { ...window, after });
      titles.push(...items.map(({ title }) => title));
      await createPost(service, connection, { title: "late", publishedAt: service.clock.fromNow(-1_000) });
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    expect(titles).toEqual(Array.from({ length: 23 }, (_, index) => `Post ${index}`));
  });

  test("takes one statement for any page size, including the check of the key", async () => {
    const connection = await connected(60);
    const statements: string[] = [];
    const counted =
      <Statement extends { readonly name: string }, Result>(run: (statement: Statement) => Result) =>
      (statement: Statement) => {
        statements.push(statement.name);
        return run(statement);
      };
    const counting = {
      ...service,
      hotReads: { query: counted((statement: ReadStatement) => service.hotReads.query(statement)) },
      pool: { query: counted((statement: QueryConfig & { name: string }) => service.pool.query(statement)) },
      prisma: new Proxy(service.prisma, {
        get: (_target, name) => {
          throw new Error(`content accessed prisma.${String(name)}`);
        },
      }),
    } as unknown as Service;
    const { caller } = application;
    const { items } = await readContent(counting, caller, scopeOf(connection), connection.id, lastDays(1, 50));
    expect(items).toHaveLength(50);
    const reads = statements.filter((name) => name !== "applications.recordKeyUse");
    expect(reads).toEqual(["content.readPage"]);
  });

  test("expires metrics that were read more than 30 days ago", async () => {
    const connection = await connected(1);
    const where = { connectionId: connection.id };
    const metricsAfter = async (ageMs: number) => {
      const metricsObservedAt = service.clock.fromNow(-ageMs);
      await service.prisma.contentItem.updateMany({ where, data: { metricsObservedAt } });
      const { items } = await read(connection, lastDays(1));
      return items[0]?.metrics.map(({ value, availability, reason }) => ({ value, availability, reason }));
    };
    expect(await metricsAfter(30 * DAY_MS)).toMatchObject([{ availability: "AVAILABLE", reason: null }]);
    expect(await metricsAfter(30 * DAY_MS + 1)).toEqual([
      { value: null, availability: "UNAVAILABLE", reason: "EXPIRED" },
    ]);
  });

  test("omits posts last observed more than 30 days ago and reports the page as incomplete", async () => {
    const connection = await connected(2);
    const observedAt = service.clock.fromNow(-30 * DAY_MS - 1);
    const where = { connectionId: connection.id, providerContentId: "post-1" };
    await service.prisma.contentItem.updateMany({ where, data: { observedAt } });
    const page = await read(connection, lastDays(40));
    expect(page.items.map(({ title }) => title)).toEqual(["Post 0"]);
    const expiredWindow = { completeForWindow: false, incompleteReason: "CONTENT_EXPIRED" };
    expect(page.pageInfo).toMatchObject(expiredWindow);
    expect((await read(connection, lastDays(30))).pageInfo.incompleteReason).toBe("NOT_SCANNED");
    await runToEnd(service, PURGE_SWEEPS);
    expect((await read(connection, lastDays(40))).pageInfo).toMatchObject(expiredWindow);
    expect(await readItem(connection, "post-1")).toMatchObject({
      title: null,
      publishedAt: null,
      availability: "UNAVAILABLE",
      reason: "EXPIRED",
      metrics: [],
    });
  });

  test.each([
    ["a sweep expired it", async () => void (await runToEnd(service, PURGE_SWEEPS))],
    ["no sweep ran", async () => undefined],
    [
      "only its bound was written before it was observed again",
      async (id: string) => setBound(id, service.clock.fromNow(-75 * DAY_MS)),
    ],
  ])("reports a post that expired since it was observed in the window, also when %s", async (_, change) => {
    const connection = await connected(1);
    const observedAt = service.clock.fromNow(-35 * DAY_MS);
    await service.prisma.contentItem.updateMany({ where: { connectionId: connection.id }, data: { observedAt } });
    await change(connection.id);
    const reason = async (days: number) => (await read(connection, lastDays(days))).pageInfo.incompleteReason;
    expect(await reason(35)).toBe("CONTENT_EXPIRED");
    expect(await reason(34)).toBe("NOT_SCANNED");
    expect(await reason(30)).toBe("NOT_SCANNED");
  });

  test("is complete only if recent complete scans cover the whole window", async () => {
    const connection = await connected(1);
    const window = lastDays(7);
    const { publishedAfter: windowAfter, publishedBefore: windowBefore } = window;
    const complete = async () => {
      const { completeForWindow, incompleteReason } = (await read(connection, window)).pageInfo;
      return [completeForWindow, incompleteReason];
    };
    expect(await complete()).toEqual([false, "NOT_SCANNED"]);
    const coverage = { windowAfter, windowBefore, completeForWindow: true, coveredSince: windowBefore };
    await createJob(service, connection, coverage);
    expect(await complete()).toEqual([true, null]);
    expect((await read(connection, lastDays(8))).pageInfo.completeForWindow).toBe(false);
    service.clock.advance(DAY_MS);
    expect(await complete()).toEqual([false, "SCAN_STALE"]);
  });

  test("shows no metrics without CONTENT_METRICS", async () => {
    const without = await connected(1, { capabilities: ["CONTENT_LIST"] });
    const granted = await connected(1);
    expect((await read(without, lastDays(1))).items[0]?.metrics).toEqual([]);
    expect((await read(granted, lastDays(1))).items[0]?.metrics).toMatchObject([{ name: "VIEWS", value: "7" }]);
  });
});

describe("a cursor", () => {
  test("is rejected if it was altered, or with another window or connection", async () => {
    const connection = await connected(3);
    const other = await connected(3);
    const window = lastDays(1, 1);
    const { endCursor } = (await read(connection, window)).pageInfo;
    expect((await read(connection, { ...window, after: endCursor })).items).toHaveLength(1);
    const refused = [
      () => read(connection, { ...lastDays(2, 1), after: endCursor }),
      () => read(other, { ...window, after: endCursor }),
      () => read(connection, { ...window, after: `${endCursor}x` }),
      () => read(connection, { ...window, after: "" }),
      () => read(connection, { ...window, after: "nonsense" }),
    ];
    for (const attempt of refused) await expect(attempt()).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  });
});

describe("access", () => {
  test.each([
    ["SUSPENDED", "AUTHORIZATION_SUSPENDED"],
    ["RECONNECT_REQUIRED", "RECONNECT_REQUIRED"],
    ["DISCONNECTED", "NOT_FOUND"],
    ["DELETING", "NOT_FOUND"],
  ] as const)("rejects reads of a %s connection with %s", async (status, code) => {
    const connection = await connected(1, { data: { status } });
    await expect(read(connection, lastDays(1))).rejects.toMatchObject({ code });
  });

  test("requires CONTENT_LIST for pages, and either that or CONTENT_LOOKUP for a single post", async () => {
    const lookup = await connected(1, { capabilities: ["CONTENT_LOOKUP"] });
    const profile = await connected(1, { capabilities: ["PROFILE"] });
    await expect(read(lookup, lastDays(1))).rejects.toMatchObject({ code: "CAPABILITY_UNAVAILABLE" });
    expect(await readItem(lookup, "post-0")).toMatchObject({ title: "Post 0" });
    await expect(readItem(profile, "post-0")).rejects.toMatchObject({ code: "CAPABILITY_UNAVAILABLE" });
  });

  test("returns NOT_FOUND for another application, tenant or subject", async () => {
    const connection = await connected(1);
    const stranger = await createApplication(service, "stranger");
    const window = lastDays(1);
    const elsewhere = [
      () => readContent(service, stranger.caller, scopeOf(connection), connection.id, window),
      () => read({ ...connection, tenantKey: "tenant-2" }, window),
      () => read({ ...connection, externalSubjectId: "someone" }, window),
      () => read({ ...connection, id: "no-uuid" }, window),
    ];
    for (const attempt of elsewhere) await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
