import type { SocialProvider } from "@social-connect/contract";
import { beforeEach, expect, test } from "vitest";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { readConnectResult } from "../connect/readConnectResult.ts";
import { postsOf } from "../testing/connections.ts";
import * as environment from "../testing/fixtures.ts";
import {
  application,
  connection,
  readJob,
  registrations,
  service,
  storedConnection,
  storedPost,
  useConnectionPerTest,
} from "../testing/fixtures.ts";
import * as rows from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { EXPIRE_ATTEMPTS } from "./expireAttempts.ts";
import { PURGE_SWEEPS } from "./purge.ts";

useConnectionPerTest();

const DAY = 24 * 3_600_000;

beforeEach(() => {
  service.fakes.PROVIDER_A.posts = postsOf(3, service.clock.current);
});

test("keeps a post complete for 30 days, then only its IDs and observation time", async () => {
  await scan();
  const observedAt = service.clock.current;
  service.clock.advance(30 * DAY);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await storedPost("post-1")).toMatchObject({ title: "Title of post-1", availability: "AVAILABLE" });
  service.clock.advance(1);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await storedPost("post-1")).toMatchObject({
    providerContentId: "post-1",
    kind: "UNKNOWN",
    canonicalUrl: null,
    title: null,
    description: null,
    publishedAt: null,
    availability: "UNAVAILABLE",
    reason: "EXPIRED",
    metrics: [],
    observedAt,
  });
  expect((await runToEnd(service, PURGE_SWEEPS))["expireContent"]).toBe(0);
});

test("restores an expired post that is observed again", async () => {
  await scan();
  service.clock.advance(31 * DAY);
  await runToEnd(service, PURGE_SWEEPS);
  service.fakes.PROVIDER_A.posts = postsOf(1, service.clock.current);
  await scan();
  expect(await storedPost("post-1")).toMatchObject({
    title: "Title of post-1",
    availability: "AVAILABLE",
    reason: null,
  });
});

test("deletes a profile after 30 days", async () => {
  const profileObservedAt = service.clock.current;
  await service.prisma.connection.updateMany({
    where: { id: connection.id },
    data: { displayName: "Name", handle: "name", profileObservedAt },
  });
  service.clock.advance(30 * DAY);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await storedConnection()).toMatchObject({ displayName: "Name" });
  service.clock.advance(1);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await storedConnection()).toMatchObject({ displayName: null, handle: null, profileObservedAt: null });
});

test("deletes jobs 7 days after their end and receipts 7 days after creation, but never active ones", async () => {
  const job = await scan();
  const receipt = await rows.createJob(service, connection, { kind: "REVOKE", status: "FAILED" });
  const active = { kind: "ERASE", status: "QUEUED", finishedAt: null } as const;
  const working = await rows.createJob(service, connection, active);
  service.clock.advance(7 * DAY);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await ids()).toEqual(new Set([job, receipt.id, working.id]));
  service.clock.advance(1);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await ids()).toEqual(new Set([working.id]));
});

test("deletes connect and identity attempts after their results expire, and leaves their grants to the sweep", async () => {
  const attempt = await connectAttempt("FAILED");
  const { id } = await rows.createPendingGrant(service, attempt);
  await rows.createIdentityAttempt(service, application);
  const where = { applicationId: application.id };
  const counts = async () => [
    await service.prisma.identityAttempt.count({ where }),
    await service.prisma.connectAttempt.count({ where }),
  ];
  service.clock.advance(20 * 60_000 - 1);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await counts()).toEqual([1, 1]);
  service.clock.advance(1);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await counts()).toEqual([0, 1]);
  service.clock.advance(DAY);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await counts()).toEqual([0, 0]);
  const grant = await service.prisma.grant.findFirst({ where: { id } });
  expect(grant).toMatchObject({ attemptId: null, status: "PENDING" });
});

test("stores overdue attempts as EXPIRED without data that only unfinished ones need", async () => {
  const overdue = await connectAttempt("AUTHORIZING");
  const done = await connectAttempt("COMPLETED");
  service.clock.advance(10 * 60_000 - 1);
  const young = await connectAttempt("CREATED");
  service.clock.advance(1);
  await runToEnd(service, EXPIRE_ATTEMPTS);
  const find = (id: string) => service.prisma.connectAttempt.findFirst({ where: { id } });
  expect(await find(overdue.id)).toMatchObject({
    status: "EXPIRED",
    resultCode: "DEADLINE_PASSED",
    // Recognizes a late callback.
    stateHash: expect.anything(),
    codeVerifierSealed: null,
  });
  expect(await find(young.id)).toMatchObject({ status: "CREATED" });
  expect(await find(done.id)).toMatchObject({ status: "COMPLETED" });
});

test("sets creatorAction for an interrupted exchange whose consent cannot be revoked", async () => {
  const [gone, waiting, revocable] = [
    await connectAttempt("EXCHANGING", "PROVIDER_C"),
    await connectAttempt("AUTHORIZING", "PROVIDER_C"),
    await connectAttempt("EXCHANGING", "PROVIDER_A"),
  ];
  service.clock.advance(10 * 60_000);
  const read = ({ id }: { id: string }) => readConnectResult(service, application.caller, application.scope, id);
  const all = [gone, waiting, revocable];
  const before = await Promise.all(all.map(read));
  await runToEnd(service, EXPIRE_ATTEMPTS);
  for (const results of [before, await Promise.all(all.map(read))]) {
    expect(results.map(({ status, creatorAction }) => [status, creatorAction])).toEqual([
      ["EXPIRED", "REMOVE_APP_AT_PROVIDER"],
      ["EXPIRED", null],
      ["EXPIRED", null],
    ]);
  }
});

async function scan(): Promise<string> {
  const id = await environment.scan();
  expect(await readJob(id)).toMatchObject({ status: "SUCCEEDED" });
  return id;
}

async function ids(): Promise<Set<string>> {
  const jobs = await service.prisma.job.findMany({ where: { connectionId: connection.id }, select: { id: true } });
  return new Set(jobs.map(({ id }) => id));
}

function connectAttempt(
  status: ConnectAttempt["status"],
  provider: SocialProvider = "PROVIDER_A",
): Promise<ConnectAttempt> {
  const data = { status, provider, codeVerifierSealed: "sealed" };
  return rows.createConnectAttempt(service, application, registrations, data);
}

test("keeps a post that was observed again, although its index has an older bound, and expires it 30 days later", async () => {
  await scan();
  const bounds = async () => {
    const { rows } = await service.pool.query<{ moved: boolean }>(
      `SELECT observed_since = observed_at AS moved FROM content_item
        WHERE connection_id = $1 AND provider_content_id = 'post-1'`,
      [connection.id],
    );
    return rows[0]?.moved;
  };
  service.clock.advance(20 * DAY);
  await rescan();
  expect(await bounds()).toBe(false);
  service.clock.advance(11 * DAY);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await bounds()).toBe(true);
  service.clock.advance(19 * DAY);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await storedPost("post-1")).toMatchObject({ title: "Title of post-1", reason: null });
  service.clock.advance(1);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await storedPost("post-1")).toMatchObject({ title: null, reason: "EXPIRED" });
});

test("finds posts that were stored without a bound", async () => {
  const before = { observedAt: service.clock.fromNow(-31 * DAY), title: "Old" };
  // Prisma's client does not know the bound.
  await rows.createPost(service, connection, { ...before, providerContentId: "stored" });
  await rows.createPost(service, connection, { providerContentId: "fresh" });
  expect((await runToEnd(service, PURGE_SWEEPS))["expireContent"]).toBeGreaterThanOrEqual(2);
  expect(await storedPost("stored")).toMatchObject({ title: null, reason: "EXPIRED" });
  expect(await storedPost("fresh")).toMatchObject({ reason: null });
  expect((await runToEnd(service, PURGE_SWEEPS))["expireContent"]).toBe(0);
});

/** Observes the same posts again, although their publication is not in the default window anymore. */
async function rescan(): Promise<void> {
  service.fakes.PROVIDER_A.posts = postsOf(3, service.clock.current);
  await scan();
}
