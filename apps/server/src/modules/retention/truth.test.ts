import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { SessionActor } from "../admin/actor.ts";
import { exportAuditEntries } from "../audit/exportAuditEntries.ts";
import { FORGET_SUBJECTS } from "../events/forgetSubjects.ts";
import { cancelJob } from "../operations/changeJob.ts";
import { listJobs } from "../operations/listJobs.ts";
import { showConnection } from "../operations/showConnection.ts";
import { findByReference } from "../support/findByReference.ts";
import { disconnectForUser, rescanConnection } from "../support/supportActions.ts";
import { viewConnection } from "../support/viewConnection.ts";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import { disconnect, refresh } from "../testing/calls.ts";
import { application, connect, registrations, service, useApplication } from "../testing/fixtures.ts";
import { createConnectAttempt, createEventEndpoint, createJob, createPost } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runErase } from "../testing/tasks.ts";
import { PURGE_SWEEPS } from "./purge.ts";
import { retentionReport } from "./retentionReport.ts";
import { verifyErasure } from "./verifyErasure.ts";

useApplication();

const DAY_MS = 86_400_000;

const check = (id: string) => verifyErasure(service.pool, id);
const columnsOf = (found: readonly { readonly column: string }[]) => found.map(({ column }) => column);

test("verifies an erasure only when just ids that may stay remain, and names every table that it searched", async () => {
  const connection = await connect({ provider: "PROVIDER_C" });
  await createPost(service, connection);
  const before = await check(connection.id);
  expect(before).toMatchObject({ status: "not erased", kept: [] });
  const tables = ["public.connection.id", "public.content_item.connection_id", "public.provider_grant.connection_id"];
  expect(columnsOf(before.traces)).toEqual(tables);
  const { eraseJobId } = await disconnect(service, application, connection);
  expect(await check(connection.id)).toMatchObject({ status: "not erased" });
  await runErase(service, eraseJobId);
  const after = await check(connection.id);
  const until = new Date(service.clock.current.getTime() + 7 * DAY_MS);
  const receipts = { column: "public.job.connection_id", rows: 2, what: "receipts", until };
  expect(after).toMatchObject({ status: "erased", traces: [], unsearched: [], kept: [receipts] });
  const searched = after.searched.map(({ table }) => table);
  for (const name of ["public.content_item", "public.rollup", "public.audit_entry"]) expect(searched).toContain(name);
  const receipt = await service.prisma.job.findFirstOrThrow({ where: { id: eraseJobId } });
  expect(receipt.deletedCounts).toMatchObject({ connection: 1, content_item: 1, provider_grant: 1 });
});

test("an application that is told keeps the ids of the receipts, and no other event", async () => {
  await createEventEndpoint(service, application);
  const connection = await connect({ provider: "PROVIDER_C" });
  const { eraseJobId } = await disconnect(service, application, connection);
  expect(columnsOf((await check(connection.id)).traces)).toContain("public.event.connection_id");
  await runErase(service, eraseJobId);
  await service.prisma.eventEndpoint.deleteMany({ where: { applicationId: application.id } });
  await runToEnd(service, [FORGET_SUBJECTS]);
  const { status, kept } = await check(connection.id);
  expect(status).toBe("erased");
  expect(kept.map(({ column, rows }) => [column, rows])).toContainEqual(["public.event.connection_id", 2]);
  const receipts = await service.prisma.event.findMany({ where: { connectionId: connection.id } });
  for (const receipt of receipts) expect(receipt).toMatchObject({ tenantKey: null, externalSubjectId: null });
});

test.each<[string, (connection: Connection, actor: SessionActor) => Promise<unknown>]>([
  ["viewed in the panel", ({ id }, actor) => viewConnection(service, actor, { id, reason: "ticket 1" })],
  ["viewed by the command", ({ id }) => showConnection(service, id, "ticket 1")],
  ["scanned again", ({ id }, actor) => rescanConnection(service, actor, { id, reason: "ticket 1" })],
  ["disconnected for its user", ({ id }, actor) => disconnectForUser(service, actor, { id, reason: "ticket 1" })],
  ["searched for", ({ id }, actor) => findByReference(service, actor, id)],
  [
    "named by the filter of an exported audit log",
    async ({ id }, actor) => {
      await viewConnection(service, actor, { id, reason: `about ${id}` });
      const { parts } = await exportAuditEntries(service, actor, "csv", { targetId: id });
      for await (const _ of parts);
    },
  ],
  [
    "named by the jobs that an operator canceled",
    async (connection) => {
      const { id } = await refresh(service, application, connection);
      await listJobs(service, { connectionId: connection.id }, 10);
      await cancelJob(service, id, false);
    },
  ],
  [
    "the result of a Connect",
    (connection) =>
      createConnectAttempt(service, application, registrations, { status: "COMPLETED", connectionId: connection.id }),
  ],
])("verifies the erasure of a connection that was %s", async (_, touch) => {
  const connection = await connect({ provider: "PROVIDER_C" });
  await createPost(service, connection);
  await touch(connection, sessionOf(service, await createAdminMember(service)));
  const { eraseJobId } = await eraseAgain(connection);
  await runErase(service, eraseJobId);
  const found = await check(connection.id);
  expect(found).toMatchObject({ status: "erased", traces: [] });
  for (const { until } of found.kept) expect(until > service.clock.current).toBe(true);
});

/** The jobs of a connection that may be disconnected already. */
async function eraseAgain(connection: Connection) {
  const stored = await service.prisma.connection.findFirstOrThrow({ where: { id: connection.id } });
  return disconnect(service, application, stored);
}

test("cannot know of an id that no row has, whether it was erased long ago or never here", async () => {
  expect(await check(newId())).toMatchObject({ status: "unknown", kept: [], traces: [], unsearched: [] });
});

test.each([
  ["an id in a document", "jsonb", (id: string) => JSON.stringify({ of: [{ id }] })],
  ["an id in other letters", "text", (id: string) => `of ${id.toUpperCase()}`],
  ["an id without dashes", "text", (id: string) => id.replaceAll("-", "")],
  ["bytes of a text", "bytea", (id: string) => Buffer.from(`{"id":"${id}"}`)],
  ["an array", "uuid[]", (id: string) => [id]],
])("finds %s in any table, and names the column", async (_, type, value) => {
  const id = newId();
  const table = `elsewhere."Of ""them"""`;
  await service.pool.query(`CREATE SCHEMA elsewhere; CREATE TABLE ${table} (other text, data ${type})`);
  onTestFinished(async () => void (await service.pool.query("DROP SCHEMA elsewhere CASCADE")));
  await service.pool.query(`INSERT INTO ${table} VALUES ('kept', $1)`, [value(newId())]);
  expect(await check(id)).toMatchObject({ traces: [] });
  await service.pool.query(`INSERT INTO ${table} VALUES ('kept', $1)`, [value(id)]);
  const traces = [{ column: 'elsewhere.Of "them".data', rows: 1 }];
  expect(await check(id)).toMatchObject({ status: "not erased", traces });
});

test("an id that may stay in one column of a table is a trace in another", async () => {
  const connection = await connect({ provider: "PROVIDER_C", externalSubjectId: "moved" });
  const { id } = connection;
  const attempt = { status: "FAILED", reconnectConnectionId: id } as const;
  await createConnectAttempt(service, application, registrations, attempt);
  await createJob(service, connection);
  expect(columnsOf((await check(id)).traces)).toEqual(
    expect.arrayContaining(["public.connect_attempt.reconnect_connection_id", "public.job.connection_id"]),
  );
});

test("does not know what a table contains that it may not read, or only in part", async () => {
  const connection = await connect({ provider: "PROVIDER_C", externalSubjectId: "hidden" });
  await runErase(service, (await disconnect(service, application, connection)).eraseJobId);
  const role = `reader_${newId().slice(0, 8)}`;
  await service.pool.query(`CREATE ROLE ${role}; GRANT pg_read_all_data TO ${role}`);
  const reader = new pg.Pool({ ...service.pool.options, options: `-c role=${role}` });
  onTestFinished(async () => {
    await reader.end();
    await service.pool.query(`DROP TABLE IF EXISTS partly; DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  expect(await verifyErasure(reader, connection.id)).toMatchObject({ status: "erased", unsearched: [] });
  await service.pool.query("CREATE TABLE partly (id uuid); ALTER TABLE partly ENABLE ROW LEVEL SECURITY");
  expect(await verifyErasure(reader, connection.id)).toMatchObject({
    status: "unknown",
    unsearched: ["public.partly"],
  });
});

test("reports the age of the oldest observation, which the purge keeps under 30 days", async () => {
  expect(await retentionReport(service.pool, service.clock.current)).toEqual({ oldestObservationAgeSeconds: null });
  const connection = await connect({ externalSubjectId: "aging" });
  await createPost(service, connection);
  service.clock.advance(31 * DAY_MS);
  await createPost(service, connection);
  service.clock.advance(DAY_MS);
  expect((await retentionReport(service.pool, service.clock.current)).oldestObservationAgeSeconds).toBe(32 * 86_400);
  await runToEnd(service, PURGE_SWEEPS);
  expect((await retentionReport(service.pool, service.clock.current)).oldestObservationAgeSeconds).toBe(86_400);
});
