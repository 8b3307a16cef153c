import { CAPABILITIES, type Capability } from "@social-connect/contract";
import { beforeEach, describe, expect, test } from "vitest";
import type { ContentObservation } from "../../providers/contract.ts";
import { startInitialReads } from "../testing/calls.ts";
import { postOf } from "../testing/connections.ts";
import {
  application,
  connect,
  connection,
  readJob,
  refresh,
  registrations,
  scan,
  service,
  storedConnection,
  storedPost,
  useConnection,
  useConnectionPerTest,
} from "../testing/fixtures.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runLookup, runMetricsRefresh, runProfileRead, runScan } from "../testing/tasks.ts";
import { ENQUEUE_BACKGROUND_READS } from "./enqueueBackgroundReads.ts";
import { requestContentLookup } from "./requestContentLookup.ts";

useConnectionPerTest();

const HOUR = 3_600_000;
const POST = "AAAAAAAAAAA";
const NOT_FOUND = { status: "FAILED", errorCode: "CONTENT_NOT_FOUND" };
const DELETED = { availability: "UNAVAILABLE", reason: "DELETED_AT_PROVIDER" } as const;

beforeEach(() => {
  const fake = service.fakes.PROVIDER_A;
  fake.posts = [postOf(POST, service.clock.current, 1)];
  fake.refused = [];
  fake.hidden = [];
  fake.account = { ...fake.account, providerAccountId: connection.providerAccountId };
});

test("looks up a post and returns its ID; a private post succeeds with the reason", async () => {
  const found = await lookup();
  const succeeded = { status: "SUCCEEDED", resultProviderContentId: POST };
  expect(await readJob(found)).toMatchObject({ ...succeeded, incompleteReason: null });
  expect(await storedPost(POST)).toMatchObject({
    title: `Title of ${POST}`,
    metrics: [{ name: "VIEWS", value: "100" }],
  });

  const hidden = { availability: "UNAVAILABLE", reason: "PRIVATE_AT_PROVIDER" } as const;
  service.fakes.PROVIDER_A.posts = [{ ...postOf(POST, service.clock.current, 1), ...hidden }];
  expect(await readJob(await lookup())).toMatchObject({ ...succeeded, incompleteReason: "PRIVATE_AT_PROVIDER" });
});

test("of a post that the provider refuses to show, a refresh discards the numbers and keeps the rest", async () => {
  await lookup();
  const fake = service.fakes.PROVIDER_A;
  fake.refused = [POST];
  const lookedUpAt = service.clock.current;
  service.clock.advance(HOUR);
  expect(await readJob(await refreshMetrics())).toMatchObject({ status: "SUCCEEDED", errorCode: null });
  expect(await storedPost(POST)).toMatchObject({
    title: `Title of ${POST}`,
    availability: "AVAILABLE",
    observedAt: lookedUpAt,
    metrics: [{ name: "VIEWS", value: null, availability: "UNAVAILABLE", reason: "METRIC_NOT_GIVEN" }],
    metricsObservedAt: service.clock.current,
  });
  expect(await readJob(await lookup())).toMatchObject({ ...NOT_FOUND, resultProviderContentId: null });
  expect(await storedPost(POST)).toMatchObject({ title: `Title of ${POST}`, availability: "AVAILABLE" });
});

test("fails the lookup of a deleted post and marks the stored post as deleted", async () => {
  const fake = service.fakes.PROVIDER_A;
  const [known] = fake.posts;
  fake.posts = [];
  expect(await readJob(await lookup())).toMatchObject(NOT_FOUND);
  fake.posts = known === undefined ? [] : [known];
  await lookup();
  fake.posts = [];
  const gone = { ...NOT_FOUND, resultProviderContentId: null, incompleteReason: null };
  expect(await readJob(await lookup())).toMatchObject(gone);
  expect(await storedPost(POST)).toMatchObject({ ...DELETED, title: null });

  fake.posts = known === undefined ? [] : [known];
  service.clock.advance(HOUR);
  await lookup();
  fake.posts = fake.posts.map((item) => ({ ...item, ...DELETED }));
  expect(await readJob(await lookup())).toMatchObject(gone);
  expect(await storedPost(POST)).toMatchObject({ ...DELETED, title: null });
});

test("looks up a stored post's short code by ID, and marks the post when it is deleted", async () => {
  const id = "17895695668004550";
  const fake = service.fakes.PROVIDER_C;
  await useConnection({ provider: "PROVIDER_C" });
  const canonicalUrl = "https://www.instagram.com/p/CxYz_12-ab/";
  fake.posts = [{ ...postOf(id, service.clock.current, 1), canonicalUrl }];
  await scan();
  const ask = async (url: string) => readJob(await lookup(url));
  expect(await ask("https://www.instagram.com/reel/CxYz_12-ab/")).toMatchObject({ resultProviderContentId: id });
  fake.posts = [];
  // Differs in one character, where a LIKE wildcard would match.
  expect(await ask("https://www.instagram.com/p/CxYzz12-ab/")).toMatchObject({ errorCode: "CONTENT_NOT_FOUND" });
  expect(await storedPost(id)).toMatchObject({ availability: "AVAILABLE" });
  expect(await ask(canonicalUrl)).toMatchObject(NOT_FOUND);
  expect(await storedPost(id)).toMatchObject(DELETED);
  expect(fake.detailsOf("lookupContent")).toEqual([id, "CxYzz12-ab", id]);
});

describe("a post that the provider does not show, for one of several causes", () => {
  const HIDDEN = { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE", nextRetryAt: null };
  const reads = [
    ["metrics refresh", refreshMetrics, runMetricsRefresh],
    ["lookup", lookup, runLookup],
  ] as const;

  beforeEach(async () => {
    await lookup();
    service.clock.advance(HOUR);
    service.fakes.PROVIDER_A.hidden = [POST];
  });

  test.each(reads)("is unchanged while the listing shows it: the %s is retried", async (_name, read, run) => {
    const before = await storedPost(POST);
    const job = await read();
    expect(await readJob(job)).toMatchObject({ status: "QUEUED", errorCode: null, nextRetryAt: expect.any(Date) });
    for (let tries = 0; tries < 20; tries += 1) {
      const { nextRetryAt } = await readJob(job);
      if (nextRetryAt === null) break;
      service.clock.set(nextRetryAt);
      await run(service, job);
    }
    expect(await readJob(job)).toMatchObject(HIDDEN);
    expect(await storedPost(POST)).toEqual(before);
  });

  test.each(reads)("is deleted if a listing that covers its time does not show it: %s", async (_name, read) => {
    service.fakes.PROVIDER_A.posts = [];
    expect(await readJob(await read())).toMatchObject(NOT_FOUND);
    expect(await storedPost(POST)).toMatchObject({ ...DELETED, title: null });
  });

  test.each(reads)("is unchanged if the listing ends early: %s", async (_name, read) => {
    const fake = service.fakes.PROVIDER_A;
    const before = await storedPost(POST);
    const original = fake.listContent.bind(fake);
    fake.listContent = async () => ({ items: [], nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" });
    try {
      expect(await readJob(await read())).toMatchObject({ status: "QUEUED" });
    } finally {
      fake.listContent = original;
    }
    expect(await storedPost(POST)).toEqual(before);
  });

  test("is not found by a lookup if it was never stored", async () => {
    const id = "dQw4w9WgXc0";
    service.fakes.PROVIDER_A.hidden = [id];
    expect(await readJob(await lookup(`https://www.youtube.com/watch?v=${id}`))).toMatchObject(NOT_FOUND);
    expect(await storedPost(id)).toBeNull();
  });
});

test("fails the lookup of another account's post and stores nothing", async () => {
  const fake = service.fakes.PROVIDER_A;
  const original = fake.lookupContent.bind(fake);
  fake.lookupContent = async () => ({ outcome: "not-owned" });
  try {
    expect(await readJob(await lookup())).toMatchObject({ status: "FAILED", errorCode: "CONTENT_NOT_OWNED" });
  } finally {
    fake.lookupContent = original;
  }
  expect(await storedPost(POST)).toBeNull();
});

test("stores new metrics, or marks a deleted post", async () => {
  await lookup();
  const fake = service.fakes.PROVIDER_A;
  service.clock.advance(HOUR);
  const more = ({ metrics }: ContentObservation) => metrics.map((metric) => ({ ...metric, value: "250" }));
  fake.posts = fake.posts.map((item) => ({ ...item, metrics: more(item) }));
  expect(await readJob(await refreshMetrics())).toMatchObject({ status: "SUCCEEDED" });
  expect(await storedPost(POST)).toMatchObject({
    metrics: [{ value: "250" }],
    metricsObservedAt: service.clock.current,
  });

  fake.posts = [];
  expect(await readJob(await refreshMetrics())).toMatchObject(NOT_FOUND);
  expect(await storedPost(POST)).toMatchObject({ ...DELETED, metrics: [] });
});

test("starts the granted initial reads of a connection (profile and 7 days) once", async () => {
  await startInitialReads(service, connection);
  await startInitialReads(service, connection);
  const jobs = await service.prisma.job.findMany({ where: { connectionId: connection.id } });
  expect(jobs.map(({ kind }) => kind).sort()).toEqual(["PROFILE", "SCAN"]);
  expect(jobs.every(({ background }) => background)).toBe(true);
  for (const { id, kind } of jobs) await (kind === "SCAN" ? runScan : runProfileRead)(service, id);
  expect(await storedConnection()).toMatchObject({
    syncStatus: "READY",
    displayName: service.fakes.PROVIDER_A.account.displayName,
    profileObservedAt: service.clock.current,
  });

  const profileOnly = await connect({ accountId: "p", capabilities: ["PROFILE"] });
  await startInitialReads(service, profileOnly);
  const started = await service.prisma.job.findMany({ where: { connectionId: profileOnly.id } });
  expect(started).toMatchObject([{ kind: "PROFILE" }]);
});

test("hides background profile reads from callers", async () => {
  await startInitialReads(service, connection);
  await expect(readJob((await profileRead()).id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("requires a reconnect when the credential returns another account", async () => {
  await startInitialReads(service, connection);
  const fake = service.fakes.PROVIDER_A;
  fake.account = { ...fake.account, providerAccountId: "somebody else", displayName: "Else" };
  await runProfileRead(service, (await profileRead()).id);
  expect(await storedConnection()).toMatchObject({ status: "RECONNECT_REQUIRED", displayName: null });
});

test("schedules background reads of connected connections before data is stale, spread over time", async () => {
  const connections = [connection];
  for (let index = 0; index < 9; index += 1) connections.push(await connect({ accountId: `account-${index}` }));
  for (const each of connections) await startInitialReads(service, each);
  await finishAll();
  const due = await service.prisma.connection.findMany({ where: { applicationId: application.id } });
  const times = due.map(({ nextScanAt }) => nextScanAt?.getTime() ?? 0);
  expect(new Set(times).size).toBeGreaterThan(1);
  expect(Math.max(...times)).toBeLessThan(service.clock.current.getTime() + 24 * HOUR);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(service.clock.current.getTime() + 20 * HOUR);

  await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
  expect(await inFlight()).toBe(0);
  await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { status: "RECONNECT_REQUIRED" } });
  service.clock.advance(24 * HOUR);
  await Promise.all([runToEnd(service, [ENQUEUE_BACKGROUND_READS]), runToEnd(service, [ENQUEUE_BACKGROUND_READS])]);
  expect(await inFlight()).toBe(9 * 2);
  await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
  expect(await inFlight()).toBe(9 * 2);
  await finishAll();
});

test("pauses reads that the registration does not offer, and resumes them when it does", async () => {
  await startInitialReads(service, connection);
  await finishAll();
  const kinds = async () => {
    const where = { connectionId: connection.id, status: "QUEUED" } as const;
    return (await service.prisma.job.findMany({ where })).map(({ kind }) => kind);
  };
  await whileServing(["PROFILE"], async () => {
    service.clock.advance(24 * HOUR);
    await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
    expect(await kinds()).toEqual(["PROFILE"]);
    await finishAll();
  });
  service.clock.advance(24 * HOUR);
  await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
  expect((await kinds()).toSorted()).toEqual(["PROFILE", "SCAN"]);
  await finishAll();
});

test.each(["PAUSED", "DISABLED"] as const)(
  "does not read with a %s registration in the background, and resumes when it is published",
  async (status) => {
    await startInitialReads(service, connection);
    await finishAll();
    const where = { id: registrations.PROVIDER_A };
    await service.prisma.providerRegistration.update({ where, data: { status } });
    try {
      service.clock.advance(24 * HOUR);
      await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
      expect(await inFlight()).toBe(0);
    } finally {
      await service.prisma.providerRegistration.update({ where, data: { status: "PUBLISHED" } });
    }
    service.clock.advance(24 * HOUR);
    await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
    expect(await inFlight()).toBe(2);
    await finishAll();
  },
);

test("requests only the offered capabilities from the provider", async () => {
  const fake = service.fakes.PROVIDER_A;
  const { id } = await refresh();
  await whileServing(["CONTENT_LIST"], async () => {
    await runScan(service, id);
    expect(fake.sessions.at(-1)?.capabilities).toEqual(["CONTENT_LIST"]);
    expect(await storedPost(POST)).toMatchObject({ title: `Title of ${POST}`, metrics: [] });
  });
});

/** Runs while the registration offers only these capabilities. */
async function whileServing(capabilities: Capability[], run: () => Promise<void>): Promise<void> {
  const where = { id: registrations.PROVIDER_A };
  await service.prisma.providerRegistration.update({ where, data: { capabilities } });
  try {
    await run();
  } finally {
    await service.prisma.providerRegistration.update({ where, data: { capabilities: [...CAPABILITIES] } });
  }
}

async function lookup(url = `https://youtu.be/${POST}`): Promise<string> {
  const { scope, caller } = application;
  const { id } = await requestContentLookup(service, caller, { scope, connectionId: connection.id, url });
  await runLookup(service, id);
  return id;
}

async function refreshMetrics(): Promise<string> {
  const { id } = await refresh({ providerContentId: POST });
  await runMetricsRefresh(service, id);
  return id;
}

function profileRead() {
  return service.prisma.job.findFirstOrThrow({ where: { connectionId: connection.id, kind: "PROFILE" } });
}

async function finishAll(): Promise<void> {
  await service.prisma.job.updateMany({
    where: { applicationId: application.id },
    data: { status: "SUCCEEDED", finishedAt: service.clock.current },
  });
}

function inFlight(): Promise<number> {
  return service.prisma.job.count({ where: { applicationId: application.id, status: "QUEUED" } });
}
