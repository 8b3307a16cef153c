import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { authenticate } from "../applications/authenticate.ts";
import { scopeHash } from "../connections/scope.ts";
import { purge } from "../retention/purge.ts";
import type { TestApplication } from "../testing/builders.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import type { TestService } from "../testing/testService.ts";
import { startTestService } from "../testing/testService.ts";
import { readContent } from "./readContent.ts";
import { readContentItem } from "./readContentItem.ts";

const DAY_MS = 86_400_000;
let service: TestService;
let application: TestApplication;
let registrations: Awaited<ReturnType<typeof createRegistrations>>;

beforeAll(async () => {
  service = await startTestService();
  registrations = await createRegistrations(service);
  application = await createApplication(service);
});
afterAll(() => service.close());

let subjects = 0;
async function connected(posts: number, options: Parameters<typeof createConnection>[3] = {}) {
  const scope = { tenantKey: "tenant-1", externalSubjectId: `subject-${++subjects}` };
  const { externalSubjectId } = scope;
  const { id } = await createConnection(service, application, registrations, { externalSubjectId, ...options });
  await createPosts(id, posts);
  return { id, scope };
}

/** Stores posts, the newest published a minute ago and the others a minute apart. */
async function createPosts(connectionId: string, count: number): Promise<void> {
  const now = service.clock.current;
  await service.prisma.contentItem.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      id: newId(),
      connectionId,
      providerContentId: `post-${index}`,
      kind: "VIDEO" as const,
      title: `Post ${index}`,
      publishedAt: new Date(now.getTime() - (index + 1) * 60_000),
      availability: "AVAILABLE" as const,
      observedAt: now,
      metrics: [{ name: "VIEWS", value: "7", availability: "AVAILABLE", reason: null, sourceField: "views" }],
      metricsObservedAt: now,
    })),
  });
}

function lastDays(days: number, first = 50, after: string | null = null) {
  const now = service.clock.current;
  return { publishedAfter: new Date(now.getTime() - days * DAY_MS), publishedBefore: now, first, after };
}

function read({ id, scope }: { id: string; scope: typeof application.scope }, window: ReturnType<typeof lastDays>) {
  return readContent(service, application.caller, scope, id, window);
}

async function addScan(connectionId: string, days: number, data: Record<string, unknown> = {}) {
  const now = service.clock.current;
  await service.prisma.job.create({
    data: {
      id: newId(),
      applicationId: application.id,
      connectionId,
      scopeHash: scopeHash(connectionId, application.scope),
      provider: "PROVIDER_A",
      kind: "SCAN",
      status: "SUCCEEDED",
      windowAfter: new Date(now.getTime() - days * DAY_MS),
      windowBefore: now,
      completeForWindow: true,
      coveredSince: now,
      createdAt: now,
      finishedAt: now,
      ...data,
    },
  });
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
      await service.prisma.contentItem.create({
        data: {
          id: newId(),
          connectionId: connection.id,
          providerContentId: `late-${page}`,
          kind: "IMAGE",
          title: "late",
          publishedAt: new Date(service.clock.current.getTime() - 1_000),
          availability: "AVAILABLE",
          observedAt: service.clock.current,
          metrics: [],
        },
      });
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    expect(titles).toEqual(Array.from({ length: 23 }, (_, index) => `Post ${index}`));
  });

  test("takes two statements for any page size, including key authentication", async () => {
    const connection = await connected(60);
    const statements: string[] = [];
    const counting = {
      ...service,
      pool: Object.assign(Object.create(service.pool), {
        query: (statement: { name: string }) => {
          statements.push(statement.name);
          return service.pool.query(statement as never);
        },
      }),
      prisma: new Proxy(service.prisma, {
        get: (_target, name) => {
          throw new Error(`content accessed prisma.${String(name)}`);
        },
      }),
    };
    const caller = await authenticate(counting, [`Bearer ${application.key}`]);
    const { items } = await readContent(counting, caller, connection.scope, connection.id, lastDays(1, 50));
    expect(items).toHaveLength(50);
    expect(statements.filter((name) => name !== "applications.recordKeyUse")).toEqual([
      "applications.findKey",
      "content.findContentPage.first.50",
    ]);
  });

  test("omits posts last observed more than 30 days ago and reports the page as incomplete", async () => {
    const connection = await connected(2);
    const old = new Date(service.clock.current.getTime() - 30 * DAY_MS - 1);
    await service.prisma.contentItem.updateMany({
      where: { connectionId: connection.id, providerContentId: "post-1" },
      data: { observedAt: old },
    });
    const page = await read(connection, lastDays(40));
    expect(page.items.map(({ title }) => title)).toEqual(["Post 0"]);
    const expiredWindow = { completeForWindow: false, incompleteReason: "CONTENT_EXPIRED" };
    expect(page.pageInfo).toMatchObject(expiredWindow);
    expect((await read(connection, lastDays(30))).pageInfo.incompleteReason).toBe("NOT_SCANNED");
    await purge(service);
    expect((await read(connection, lastDays(40))).pageInfo).toMatchObject(expiredWindow);
    const expired = await readContentItem(service, application.caller, connection.scope, connection.id, "post-1");
    expect(expired).toMatchObject({
      title: null,
      publishedAt: null,
      availability: "UNAVAILABLE",
      reason: "EXPIRED",
      metrics: [],
    });
  });

  test("is complete only if recent complete scans cover the whole window", async () => {
    const connection = await connected(1);
    expect((await read(connection, lastDays(7))).pageInfo).toMatchObject({
      completeForWindow: false,
      incompleteReason: "NOT_SCANNED",
    });
    await addScan(connection.id, 7);
    expect((await read(connection, lastDays(7))).pageInfo).toMatchObject({
      completeForWindow: true,
      incompleteReason: null,
    });
    expect((await read(connection, lastDays(8))).pageInfo.completeForWindow).toBe(false);
    const window = lastDays(7);
    service.clock.advance(DAY_MS);
    expect((await read(connection, window)).pageInfo).toMatchObject({
      completeForWindow: false,
      incompleteReason: "SCAN_STALE",
    });
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
    const item = (connection: typeof lookup) =>
      readContentItem(service, application.caller, connection.scope, connection.id, "post-0");
    expect(await item(lookup)).toMatchObject({ title: "Post 0" });
    await expect(item(profile)).rejects.toMatchObject({ code: "CAPABILITY_UNAVAILABLE" });
  });

  test("returns NOT_FOUND for another application, tenant or subject", async () => {
    const connection = await connected(1);
    const stranger = await createApplication(service, "stranger");
    const window = lastDays(1);
    const elsewhere = [
      () => readContent(service, stranger.caller, connection.scope, connection.id, window),
      () => read({ ...connection, scope: { ...connection.scope, tenantKey: "tenant-2" } }, window),
      () => read({ ...connection, scope: { ...connection.scope, externalSubjectId: "someone" } }, window),
      () => read({ ...connection, id: "no-uuid" }, window),
    ];
    for (const attempt of elsewhere) await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
