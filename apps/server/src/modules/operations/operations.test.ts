import { beforeEach, expect, test } from "vitest";
import { createAdminMember, createApiKey } from "../testing/admins.ts";
import {
  application,
  connect,
  registrations,
  service,
  testNumber,
  useApplicationPerTest,
} from "../testing/fixtures.ts";
import { createJob } from "../testing/rows.ts";
import { cancelJob, retryJob } from "./changeJob.ts";
import { listJobs } from "./listJobs.ts";
import { listKeys } from "./listKeys.ts";
import { readQuotas, setQuota } from "./quotas.ts";
import { readSweeps } from "./readSweeps.ts";
import { revokeKey } from "./revokeKey.ts";
import { showConnection } from "./showConnection.ts";

useApplicationPerTest();

const MINUTE = 60_000;

beforeEach(async () => {
  service.enqueued.length = 0;
  await service.prisma.auditEntry.deleteMany();
});

async function audited(): Promise<{ action: string; targetId: string; actor: string }[]> {
  return service.prisma.auditEntry.findMany({ select: { action: true, targetId: true, actor: true } });
}

test("a waiting job is retried now, with an audit entry", async () => {
  const connection = await connect();
  const waiting = { status: "QUEUED", nextRetryAt: service.clock.fromNow(MINUTE), waitReason: "QUOTA" } as const;
  const { id } = await createJob(service, connection, { ...waiting, finishedAt: null });
  const queued = { id, connectionId: connection.id, kind: "SCAN", status: "QUEUED" };
  expect(await retryJob(service, id, true)).toEqual(queued);
  expect(await audited()).toEqual([]);
  expect(await service.prisma.job.findFirst({ where: { id } })).toMatchObject(waiting);

  expect(await retryJob(service, id, false)).toEqual(queued);
  const due = { status: "QUEUED", nextRetryAt: null, waitReason: "BEHIND_OTHER_WORK" };
  expect(await service.prisma.job.findFirst({ where: { id } })).toMatchObject(due);
  expect(service.enqueued).toMatchObject([{ task: "scan", payload: { id }, startAfter: service.clock.current }]);
  expect(await audited()).toEqual([{ action: "Job retried", targetId: id, actor: "System" }]);
});

test.each([
  ["retried", { status: "SUCCEEDED" }, retryJob, /has ended \(SUCCEEDED\)/],
  ["retried", { status: "RUNNING" }, retryJob, /is running/],
  ["canceled", { status: "FAILED" }, cancelJob, /has ended already \(FAILED\)/],
  ["canceled", { status: "QUEUED", kind: "ERASE" }, cancelJob, /ERASE job cannot be canceled/],
  ["canceled", { status: "QUEUED", kind: "RECHECK" }, cancelJob, /RECHECK job cannot be canceled/],
] as const)("a job is not %s when it is %j", async (_, data, change, message) => {
  const { id } = await createJob(service, await connect(), data);
  await expect(change(service, id, false)).rejects.toThrow(message);
  expect(await service.prisma.job.findFirst({ where: { id } })).toMatchObject(data);
  expect(await audited()).toEqual([]);
});

test("a canceled scan ends, and its connection no longer shows it as running", async () => {
  const connection = await connect({ data: { syncStatus: "RUNNING" } });
  const { id } = await createJob(service, connection, { status: "RUNNING", finishedAt: null });
  expect(await cancelJob(service, id, false)).toMatchObject({ id, kind: "SCAN", status: "CANCELED" });
  const ended = { status: "CANCELED", errorCode: null, finishedAt: service.clock.current };
  expect(await service.prisma.job.findFirst({ where: { id } })).toMatchObject(ended);
  const stored = await service.prisma.connection.findFirst({ where: { id: connection.id } });
  expect(stored).toMatchObject({ syncStatus: "FAILED" });
  expect(await audited()).toEqual([{ action: "Job canceled", targetId: id, actor: "System" }]);
});

test("an unknown job, connection or key is reported as missing", async () => {
  const id = application.id;
  for (const change of [retryJob, cancelJob, revokeKey]) {
    for (const unknown of [id, "x"]) await expect(change(service, unknown, false)).rejects.toThrow(/does not exist/);
  }
  await expect(showConnection(service, id, "ticket 1")).rejects.toThrow("The connection does not exist");
});

test("jobs are listed newest first by each filter, with the slug of their client", async () => {
  const connection = await connect();
  const other = await connect({ provider: "PROVIDER_B" });
  const first = await createJob(service, connection, { status: "FAILED", kind: "PROFILE" });
  service.clock.advance(1);
  const second = await createJob(service, other, { status: "QUEUED", waitReason: "QUOTA" });
  const ids = async (filter: Parameters<typeof listJobs>[1], limit = 10) =>
    (await listJobs(service, { applicationId: application.id, ...filter }, limit)).map(({ id }) => id);
  expect(await ids({})).toEqual([second.id, first.id]);
  expect(await ids({}, 1)).toEqual([second.id]);
  expect(await ids({ connectionId: connection.id })).toEqual([first.id]);
  expect(await ids({ provider: "PROVIDER_B" })).toEqual([second.id]);
  expect(await ids({ kind: "PROFILE" })).toEqual([first.id]);
  expect(await ids({ status: "QUEUED" })).toEqual([second.id]);
  expect(await ids({ waitReason: "QUOTA" })).toEqual([second.id]);
  const [shown] = await listJobs(service, { connectionId: other.id }, 1);
  expect(shown?.application).toBe(`shop-${testNumber}`);
  expect(shown).not.toHaveProperty("lookupTarget");
});

test("keys of both types are listed without their hashes and revoked by their ids", async () => {
  const admin = await createApiKey(service, await createAdminMember(service), "READ");
  const own = await listKeys(service, { applicationId: application.id, limit: 10 });
  expect(own).toMatchObject([{ type: "application", revokedAt: null }]);
  const all = await listKeys(service, { limit: 1_000 });
  expect(all).toContainEqual(expect.objectContaining({ id: admin.id, type: "admin", scope: "READ" }));
  expect(JSON.stringify(all)).not.toMatch(/secretHash/);

  const [{ id = "" } = {}] = own;
  for (const key of [id, admin.id]) {
    expect(await revokeKey(service, key, true)).toMatchObject({ revokedAt: null });
    expect(await revokeKey(service, key, false)).toMatchObject({ id: key, revokedAt: service.clock.current });
  }
  const actions = (await audited()).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["Application key revoked", "API key revoked"]));
});

test("a quota is shown, set and reset", async () => {
  const id = registrations.PROVIDER_A;
  const shown = async () => (await readQuotas(service)).find(({ registrationId }) => registrationId === id)?.quota;
  const usual = await shown();
  const changed = { ...usual, units: 77, reserve: 0.5 };
  expect(await setQuota(service, id, { units: 77, reserve: 0.5 }, true)).toEqual(changed);
  expect(await shown()).toEqual(usual);
  expect(await setQuota(service, id, { units: 77, reserve: 0.5 }, false)).toEqual(changed);
  expect(await shown()).toEqual(changed);
  await expect(setQuota(service, id, { units: 0 }, true)).rejects.toThrow(/units/);
  expect(await setQuota(service, id, null, false)).toEqual(usual);
  expect((await audited()).map(({ action }) => action)).toEqual(Array(2).fill("Registration quota changed"));
});

test("a sweep is healthy until it has missed two of its intervals", async () => {
  const known = [
    { name: "recent", intervalMs: MINUTE },
    { name: "late", intervalMs: MINUTE },
    { name: "never", intervalMs: MINUTE },
  ];
  const state = { ranAt: service.clock.current, handled: 3, remaining: 0 };
  await service.prisma.sweepState.createMany({
    data: [
      { ...state, name: "recent", succeededAt: service.clock.fromNow(-2 * MINUTE + 1) },
      {
        ...state,
        name: "late",
        succeededAt: service.clock.fromNow(-2 * MINUTE),
        failedAt: service.clock.current,
        error: "57014",
      },
    ],
  });
  expect(await readSweeps(service, known)).toMatchObject([
    { name: "recent", isHealthy: true, handled: 3 },
    { name: "late", isHealthy: false, error: "57014" },
    { name: "never", isHealthy: false, succeededAt: null },
  ]);
});

test("a connection is shown with states and counts only, and the audit log has the reason", async () => {
  const connection = await connect({ data: { displayName: "Name of a person", handle: "handle-of-a-person" } });
  await createJob(service, connection, { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE" });
  const shown = await showConnection(service, connection.id, "ticket 4711");
  expect(shown).toMatchObject({
    id: connection.id,
    status: "CONNECTED",
    grant: { status: "ACTIVE" },
    posts: {},
    jobs: [{ status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE" }],
  });
  expect(JSON.stringify(shown)).not.toMatch(/of-a-person|of a person|Sealed|access-1|account-1|subject/i);
  const entry = await service.prisma.auditEntry.findFirstOrThrow();
  expect(entry).toMatchObject({ action: "Connection viewed", targetId: connection.id, actor: "System" });
  expect(entry.summary).toContain("ticket 4711");
});
