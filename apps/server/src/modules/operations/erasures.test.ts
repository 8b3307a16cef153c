import { testEvent } from "@social-connect/domain";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";
import { recordEvents } from "../events/recordEvents.ts";
import { disconnect } from "../testing/calls.ts";
import { application, connect, service, testNumber, useApplicationPerTest } from "../testing/fixtures.ts";
import { createEventEndpoint, createPost } from "../testing/rows.ts";
import { runErase, runRevoke } from "../testing/tasks.ts";
import { type ErasureReport, eraseConnections } from "./eraseConnections.ts";
import { readErasureJournal, UnreadableErasureError } from "./erasureJournal.ts";
import { exportableSince, exportErasures } from "./exportErasures.ts";
import { measureReplay, replayErasures } from "./replayErasures.ts";

useApplicationPerTest();

const DAY = 86_400_000;
const NO_WAIT = { wait: async () => false };

beforeEach(async () => {
  service.enqueued.length = 0;
  await service.prisma.auditEntry.deleteMany();
  await service.prisma.job.deleteMany();
});

/** Lines of one source. */
function journalOf(...lines: readonly string[]) {
  return readErasureJournal([{ place: "api.log", lines: given(lines) }]);
}

async function* given(lines: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* lines;
}

async function exported(since: Date): Promise<string[]> {
  const lines: string[] = [];
  for await (const entry of exportErasures(service, since)) lines.push(JSON.stringify(entry));
  return lines;
}

test("finds the erasures in a log, also prefixed or wrapped, and in an export", async () => {
  const [first, second, third, fourth, fifth] = Array.from({ length: 5 }, newId);
  const line = JSON.stringify({ level: "info", event: "erasure.requested", connectionId: first });
  const journal = await journalOf(
    "listening at http://127.0.0.1:4400",
    "",
    line,
    line,
    JSON.stringify({ msg: "request", operation: "disconnectConnection", connectionId: newId() }),
    JSON.stringify({ msg: "job succeeded", kind: "SCAN", connectionId: newId() }),
    `worker-1  | ${JSON.stringify({ event: "erasure.completed", connectionId: second })}`,
    JSON.stringify({
      log: `${JSON.stringify({ event: "erasure.completed", connectionId: third })}\n`,
      stream: "stdout",
    }),
    JSON.stringify({ msg: "job waits for its next attempt", kind: "ERASE", connectionId: fourth }),
    JSON.stringify({ time: "…", fields: { event: "erasure.requested", connectionId: fifth } }),
  );
  expect([...journal.connectionIds]).toEqual([first, second, third, fourth, fifth]);
  expect(journal.lines).toBe(10);
});

test.each([
  ["is truncated", '{"event":"erasure.requested","connectionId":"6f1f5f0e-5a5e'],
  ["has no id of a connection", '{"event":"erasure.requested","connectionId":"all"}'],
  ["is not JSON", "erasure.requested for 6f1f5f0e-5a5e-4a8e-9a53-0d2f6c1f6b11"],
])("a line that %s refuses the whole journal", async (_, line) => {
  const read = journalOf("first", line);
  await expect(read).rejects.toThrow(UnreadableErasureError);
  await expect(read).rejects.toThrow(/^api\.log, line 2: /);
});

test("ends the deliveries that a backup restored only if it is asked to", async () => {
  const { id: endpointId, applicationId } = await createEventEndpoint(service, application);
  const { prisma, clock } = service;
  const tell = () =>
    prisma.$transaction((transaction) => recordEvents(service, transaction, clock.current, [testEvent(applicationId)]));
  const statuses = async () =>
    (await prisma.eventDelivery.findMany({ where: { endpointId }, orderBy: { status: "asc" } })).map(
      ({ status, problem }) => problem ?? status,
    );
  const journal = await journalOf("a line without an erasure");
  await tell();
  expect(await measureReplay(service, journal)).toMatchObject({ waitingDeliveries: 1 });
  await replayErasures(service, journal, NO_WAIT);
  expect(await statuses()).toEqual(["WAITING"]);
  await replayErasures(service, journal, { ...NO_WAIT, endsDeliveries: true });
  await tell();
  expect(await statuses()).toEqual(["WAITING", "RESTORED"]);
  await prisma.eventEndpoint.deleteMany({ where: { applicationId } });
});

test("disconnects the connections that a backup restored, once, and leaves every other connection", async () => {
  const [restored, kept] = [await connect(), await connect({ accountId: "kept", externalSubjectId: "kept" })];
  await createPost(service, restored);
  const journal = await journalOf(
    ...[restored.id, newId()].map((connectionId) => JSON.stringify({ event: "erasure.completed", connectionId })),
  );
  const size = { connections: 2, absent: 1, inProgress: 0, restored: 1, waitingDeliveries: 0 };
  expect(await measureReplay(service, journal)).toEqual(size);
  expect(await service.prisma.job.count()).toBe(0);

  const report = await replayErasures(service, journal, NO_WAIT);
  const queued = { status: "QUEUED", errorCode: null };
  expect(report).toMatchObject({
    ...size,
    ...{ failed: [], pending: 1 },
    receipts: [{ connectionId: restored.id, provider: "PROVIDER_A", revoke: queued, erase: queued }],
  });
  expect(service.enqueued.map(({ task }) => task)).toEqual(["revoke", "erase"]);
  expect(await service.prisma.auditEntry.findMany()).toMatchObject([
    { actor: "System", action: "Erasures replayed", targetId: application.id, clientSlug: `shop-${testNumber}` },
  ]);

  // Repeated before the workers have run, and after.
  const again = await replayErasures(service, journal, NO_WAIT);
  expect(again).toMatchObject({ restored: 0, inProgress: 1, pending: 1, receipts: report.receipts });
  const [receipt] = report.receipts;
  await runRevoke(service, receipt?.revoke.id ?? "");
  await runErase(service, receipt?.erase.id ?? "");
  // The workers were quicker than this replay: its receipts are complete nevertheless.
  const ended = { status: "SUCCEEDED", errorCode: null };
  expect(await replayErasures(service, journal, NO_WAIT)).toMatchObject({
    ...{ absent: 2, pending: 0, withoutReceipts: 1 },
    receipts: [{ connectionId: restored.id, provider: "PROVIDER_A", revoke: ended, erase: ended }],
  });
  expect(await service.prisma.auditEntry.count()).toBe(1);
  expect(await service.prisma.connection.findMany({ where: { applicationId: application.id } })).toEqual([kept]);
  expect(service.fakes.PROVIDER_A.calls.filter(({ name }) => name === "revoke")).toHaveLength(1);
});

test("waits for the erasure, and reports what the worker did", async () => {
  const { id: connectionId } = await connect();
  const journal = await journalOf(JSON.stringify({ event: "erasure.requested", connectionId }));
  const report = await replayErasures(service, journal, {
    wait: async (pending) => {
      expect(pending).toBe(1);
      const [revoke, erase] = await service.prisma.job.findMany({ where: { connectionId }, orderBy: { kind: "asc" } });
      await runRevoke(service, revoke?.id ?? "");
      await runErase(service, erase?.id ?? "");
      return true;
    },
  });
  const erase = { status: "SUCCEEDED", deletedCounts: { connection: 1, provider_grant: 1 } };
  expect(report).toMatchObject({ pending: 0, receipts: [{ connectionId, revoke: { status: "SUCCEEDED" }, erase }] });
});

const target = () => ({ id: application.id, slug: `shop-${testNumber}` });

test.each(["client", "subject"])(
  "a repeated erasure of a %s reports what the workers erased in between",
  async (of) => {
    const [erased, other] = [await connect(), await connect({ accountId: "other", externalSubjectId: "other" })];
    const { tenantKey, externalSubjectId } = erased;
    const scope = {
      application: target(),
      ...(of === "client" ? { tenantKey: null, externalSubjectId: null } : { tenantKey, externalSubjectId }),
    };
    const ids = of === "client" ? [erased.id, other.id].toSorted() : [erased.id];
    const idsOf = ({ receipts }: ErasureReport) => receipts.map(({ connectionId }) => connectionId).toSorted();
    const first = await eraseConnections(service, scope, NO_WAIT);
    expect(first.pending).toBe(ids.length);
    expect(idsOf(first)).toEqual(ids);
    for (const { revoke, erase } of first.receipts) {
      await runRevoke(service, revoke.id);
      await runErase(service, erase.id);
    }
    const again = await eraseConnections(service, scope, NO_WAIT);
    expect(again).toMatchObject({ pending: 0, earlier: [], deleted: { connection: ids.length } });
    expect(idsOf(again)).toEqual(ids);
    expect(await service.prisma.connection.count({ where: { id: other.id } })).toBe(of === "client" ? 0 : 1);
  },
);

test("a repeated erasure of a tenant names the report that has the other receipts", async () => {
  const { tenantKey } = await connect();
  const scope = { application: target(), tenantKey, externalSubjectId: null };
  const at = await service.clock.now();
  const first = await eraseConnections(service, scope, NO_WAIT);
  expect(first).toMatchObject({ pending: 1, earlier: [] });
  for (const { revoke, erase } of first.receipts) {
    await runRevoke(service, revoke.id);
    await runErase(service, erase.id);
  }
  expect(await eraseConnections(service, scope, NO_WAIT)).toMatchObject({ receipts: [], earlier: [at] });
  expect(await eraseConnections(service, scope, NO_WAIT)).toMatchObject({ receipts: [], earlier: [at] });
  expect(await eraseConnections(service, { ...scope, tenantKey: "other" }, NO_WAIT)).toMatchObject({ earlier: [] });
  service.clock.advance(8 * DAY);
  expect(await eraseConnections(service, scope, NO_WAIT)).toMatchObject({ earlier: [] });
});

test("a disconnect and its erasure are lines of the log, which a replay accepts", async () => {
  const { logger } = service;
  onTestFinished(() => void Object.assign(service, { logger }));
  const { lines, ...recording } = recordingLogger("info");
  Object.assign(service, recording);
  const connection = await connect();
  const { revokeJobId, eraseJobId } = await disconnect(service, application, connection);
  await disconnect(service, application, connection);
  await runRevoke(service, revokeJobId);
  await runErase(service, eraseJobId);
  const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event?.startsWith("erasure."));
  const fields = { connectionId: connection.id, applicationId: application.id, provider: "PROVIDER_A" };
  expect(events).toMatchObject([
    { event: "erasure.requested", ...fields },
    { event: "erasure.completed", ...fields },
  ]);
  expect([...(await journalOf(...lines)).connectionIds]).toEqual([connection.id]);
});

test("exports the erasures since a time, and no time that the database no longer has", async () => {
  const [first, second] = [await connect(), await connect({ accountId: "second", externalSubjectId: "second" })];
  await disconnect(service, application, first);
  service.clock.advance(DAY);
  const since = await service.clock.now();
  await disconnect(service, { ...application, scope: second }, second);
  const time = since.toISOString();
  const fields = { applicationId: application.id, provider: "PROVIDER_A" };
  expect((await exported(since)).map((line) => JSON.parse(line))).toEqual([
    { event: "erasure.requested", time, connectionId: second.id, ...fields },
  ]);
  const all = await exported(await exportableSince(service, null));
  expect([...(await journalOf(...all)).connectionIds]).toEqual([first.id, second.id]);

  expect(await exportableSince(service, since)).toEqual(since);
  await expect(exportableSince(service, service.clock.fromNow(-7 * DAY - 1))).rejects.toThrow(/from the log/);
});
