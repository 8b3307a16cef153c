import { afterAll, beforeAll, expect, test } from "vitest";
import { PURGE_SWEEPS } from "../modules/retention/purge.ts";
import { createApplication, createRegistrations } from "../modules/testing/builders.ts";
import { disconnect, refresh } from "../modules/testing/calls.ts";
import { createConnection, postOf } from "../modules/testing/connections.ts";
import { dumpDatabase, encodingsOf } from "../modules/testing/databaseDump.ts";
import { createConnectAttempt, createImportLine } from "../modules/testing/rows.ts";
import { runToEnd } from "../modules/testing/runToEnd.ts";
import { runErase, runRevoke, runScan } from "../modules/testing/tasks.ts";
import { startTestService, type TestService } from "../modules/testing/testService.ts";
import { newId } from "../platform/ids.ts";
import { prepareTaskQueues } from "./boss.ts";
import { createTaskQueue } from "./taskQueue.ts";

const DAY = 86_400_000;
const CANARY = "canary-of-an-erased-account";

/** Text columns without account data, with the reason. Every other column gets a canary. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "connect_attempt.result_code": "an internal code",
  "connect_attempt.return_url": "the application's own address",
  "connect_attempt.tenant_key": "the application's own key",
  "connection.scan_error_code": "an internal code",
  "connection.tenant_key": "the application's own key",
  "content_item.reason": "an internal code",
  "event.code": "an internal code",
  "event.status": "an internal code",
  "event.tenant_key": "the application's own key",
  "event.type": "a name of the contract",
  "import_line.code": "an internal code",
  "import_line.line_hash": "a hash of tokens",
  "import_line.tenant_key": "the application's own key",
  "job.deleted_counts": "counts, written by the erasure",
  "job.error_code": "an internal code",
  "job.incomplete_reason": "an internal code",
  "revoke_settlement.tenant_key": "the application's own key",
};

/** Tables whose rows belong to one account. */
const TABLES = [
  ...["connection", "provider_grant", "content_item", "job", "connect_attempt", "import_line", "revoke_settlement"],
  "event",
];

const SEALED = "provider_grant";

let service: TestService;

beforeAll(async () => {
  const base = await startTestService();
  service = { ...base, queue: createTaskQueue(base.pool, base.clock) };
  await prepareTaskQueues(base.pool);
});
afterAll(() => service.close());

test("leaves no column value of an erased account in any schema, including job payloads", async () => {
  const registrations = await createRegistrations(service);
  const application = await createApplication(service);
  const externalSubjectId = `${CANARY}-subject`;
  const connection = await createConnection(service, application, registrations, { externalSubjectId });
  const { id: connectionId } = connection;
  service.fakes.PROVIDER_A.posts = [postOf(`${CANARY}-post`, service.clock.current, 1)];
  await runScan(service, (await refresh(service, application, connection)).id);
  const attempt = { status: "COMPLETED", externalSubjectId, connectionId } as const;
  await createConnectAttempt(service, application, registrations, attempt);
  const event = { id: newId(), applicationId: application.id, type: "connection.suspended", connectionId };
  await service.prisma.event.create({
    data: { ...event, externalSubjectId, occurredAt: service.clock.current },
  });
  await createImportLine(service, connection);
  const { revokeJobId, eraseJobId } = await disconnect(service, application, connection);
  await fillEveryColumn();
  // Control: each of these tables contains a canary, and the queue's payloads contain the job IDs.
  const before = await dumpDatabase(service.pool);
  for (const table of TABLES.filter((name) => name !== SEALED)) {
    expect(hits(before), table).toContain(`public.${table}`);
  }
  // Sealed values are ciphertext, so check for the row itself.
  const { accessTokenSealed } = await service.prisma.grant.findFirstOrThrow({ where: { connectionId } });
  expect(before.join()).toContain(accessTokenSealed);
  expect(before.filter((line) => line.startsWith("pgboss.job") && line.includes(eraseJobId)).length).toBeGreaterThan(0);

  await runRevoke(service, revokeJobId);
  await runErase(service, eraseJobId);
  // The attempt's result is readable for a day (part 8), and contains the subject until then.
  const after = await dumpDatabase(service.pool);
  expect(new Set(hits(after))).toEqual(new Set(["public.connect_attempt"]));
  expect(after.join()).not.toContain(accessTokenSealed);
  service.clock.advance(DAY);
  await runToEnd(service, PURGE_SWEEPS);
  expect(hits(await dumpDatabase(service.pool))).toEqual([]);
  // The receipt still exists, and contains no personal data.
  expect(await service.prisma.job.findFirst({ where: { id: eraseJobId } })).toMatchObject({ status: "SUCCEEDED" });
});

test("requires a canary or an exception for every text column", async () => {
  const columns = await textColumns();
  expect(
    Object.keys(EXCEPTIONS).filter((name) => !columns.some(({ table, column }) => `${table}.${column}` === name)),
  ).toEqual([]);
  expect(columns.length).toBeGreaterThan(20);
});

function hits(dump: readonly string[]): string[] {
  const writings = encodingsOf(CANARY).map((writing) => writing.toLowerCase());
  const found = dump.filter((line) => writings.some((writing) => line.toLowerCase().includes(writing)));
  return found.map((line) => line.split(" ", 1)[0] as string);
}

async function textColumns(): Promise<{ readonly table: string; readonly column: string; readonly type: string }[]> {
  const { rows } = await service.pool.query(
    `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ANY ($1) AND data_type IN ('text', 'json', 'jsonb', 'bytea', 'ARRAY')
        AND udt_name NOT IN ('_capability')
        AND NOT (table_name = 'connect_attempt' AND data_type = 'bytea') AND column_name <> 'scope_hash'`,
    [TABLES],
  );
  return rows;
}

/** Appends the canary to every column, including empty ones. */
async function fillEveryColumn(): Promise<void> {
  for (const { table, column, type } of await textColumns()) {
    if (`${table}.${column}` in EXCEPTIONS || column.endsWith("_sealed")) continue;
    const value = type === "jsonb" ? `to_jsonb('${CANARY}'::text)` : `COALESCE("${column}", '') || '${CANARY}'`;
    const receipts = table === "job" ? "WHERE kind NOT IN ('REVOKE', 'ERASE')" : "";
    await service.pool.query(`UPDATE "${table}" SET "${column}" = ${value} ${receipts}`);
  }
}
