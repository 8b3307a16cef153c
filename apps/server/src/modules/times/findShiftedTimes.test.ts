import { runStatement } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../platform/database/database.ts";
import { MINUTE_SWEEPS } from "../../worker/sweeps.ts";
import { SYSTEM } from "../admin/actor.ts";
import { addAdmin } from "../admins/admins.ts";
import { authenticate } from "../applications/checkKey.ts";
import { runSweeps } from "../sweeps/runSweeps.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { refresh } from "../testing/calls.ts";
import { createConnection, postsOf } from "../testing/connections.ts";
import { runScan } from "../testing/tasks.ts";
import { startTestService } from "../testing/testService.ts";
import { findShiftedTimes } from "./findShiftedTimes.ts";

/** A service with sessions as an earlier release had them: without a time zone, as through a pooler. */
async function usedService(timeZone: string, isOfEarlierRelease: boolean) {
  const service = await startTestService();
  onTestFinished(service.close);
  // What the tables are compared with: as if the template had been migrated just now.
  await service.pool.query("UPDATE _prisma_migrations SET finished_at = clock_timestamp()");
  const url = service.pool.options.connectionString ?? "";
  await runStatement(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET TimeZone = '${timeZone}'`);
  const database = openDatabase({ url, poolSize: 4, isPooled: isOfEarlierRelease });
  onTestFinished(database.close);
  const { pool, prisma, hotReads } = database;
  service.clock.set(new Date());
  return Object.assign(service, { pool, prisma, hotReads, reads: { pool, prisma } });
}

type UsedService = Awaited<ReturnType<typeof usedService>>;

async function link(service: UsedService) {
  const registrations = await createRegistrations(service);
  const application = await createApplication(service);
  await authenticate(service, [`Bearer ${application.key}`]);
  const { PROVIDER_A } = service.fakes;
  const connection = await createConnection(service, application, registrations);
  PROVIDER_A.posts = postsOf(3, service.clock.current);
  PROVIDER_A.account = { ...PROVIDER_A.account, providerAccountId: connection.providerAccountId };
  await runScan(service, (await refresh(service, application, connection)).id);
}

const ZONES = ["UTC", "America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "Pacific/Kiritimati"];

test.each(ZONES)("finds nothing after use in a database in %s", async (timeZone) => {
  const service = await usedService(timeZone, false);
  await addAdmin(service, SYSTEM, "admin@example.com");
  await link(service);
  await runSweeps(service, MINUTE_SWEEPS);
  expect(await findShiftedTimes(service)).toEqual([]);
});

test.each([
  ["UTC", []],
  [
    "America/Los_Angeles",
    [
      "a job ended before it was created",
      "an application's key was used before it was created",
      "a sweep ran in the future",
    ],
  ],
  [
    "Europe/Berlin",
    [
      "an admin is older than the tables",
      "an application is older than the tables",
      "a registration is older than the tables",
      "the only attempt at a job took longer than an attempt may",
    ],
  ],
  [
    "Asia/Kolkata",
    [
      "an admin is older than the tables",
      "an application is older than the tables",
      "a registration is older than the tables",
      "the only attempt at a job took longer than an attempt may",
    ],
  ],
])("finds what an earlier release stored in a database in %s", async (timeZone, expected) => {
  const service = await usedService(timeZone, true);
  await addAdmin(service, SYSTEM, "admin@example.com");
  await link(service);
  await runSweeps(service, MINUTE_SWEEPS);
  // With the sessions of this release.
  const url = service.pool.options.connectionString ?? "";
  const { pool, close } = openDatabase({ url, poolSize: 1 });
  onTestFinished(close);
  expect(await findShiftedTimes({ pool, clock: service.clock })).toEqual(expected);
});

test("finds an admin key that changed something before its first use, or was used before it was created", async () => {
  const service = await usedService("UTC", false);
  const find = () => findShiftedTimes(service);
  const insert = `INSERT INTO admin_api_key (id, created_by, label, scope, secret_hash, created_at, expires_at, first_used_at)
    VALUES ('00000000-0000-4000-8000-000000000001', 'a', 'a', 'WRITE', '', $1, now(), $2)`;
  const audit = `INSERT INTO audit_entry (id, at, actor, api_key_id, action, target_type, target_id, summary)
    VALUES (gen_random_uuid(), $1, 'a', '00000000-0000-4000-8000-000000000001', 'a', 'a', 'a', 'a')`;
  const now = Date.now();
  await service.pool.query(insert, [new Date(now), new Date(now + 1_000)]);
  await service.pool.query(audit, [new Date(now + 1_000)]);
  expect(await find()).toEqual([]);
  await service.pool.query(audit, [new Date(now - 3_600_000)]);
  expect(await find()).toEqual(["an admin key changed something before its first use"]);
  await service.pool.query("DELETE FROM audit_entry");
  await service.pool.query("UPDATE admin_api_key SET created_at = created_at + interval '7 hours'");
  expect(await find()).toEqual(["an admin key was used before it was created"]);
});
