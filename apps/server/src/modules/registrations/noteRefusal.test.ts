import { expect, test } from "vitest";
import { ProviderError } from "../../providers/contract.ts";
import { readIncidents } from "../rollups/readIncidents.ts";
import { createPublished } from "../testing/builders.ts";
import * as calls from "../testing/calls.ts";
import { createConnection } from "../testing/connections.ts";
import {
  application,
  connect,
  refresh,
  registrations,
  scan,
  service,
  storedConnection,
  storedJob,
  useConnectionPerTest,
} from "../testing/fixtures.ts";
import { runScan } from "../testing/tasks.ts";
import { noteRefusal } from "./noteRefusal.ts";

useConnectionPerTest();

const MINUTE = 60_000;

const incidents = async () => (await readIncidents(service)).filter(({ cause }) => cause === "APPLICATION_REFUSED");

test("a scan that the provider refuses for its application is an incident of the registration until a call is accepted", async () => {
  const { id } = await refresh();
  const fake = service.fakes.PROVIDER_A;
  const refusedAt = service.clock.current;
  fake.failNext("listContent", "application_refused", "application_refused");
  await runScan(service, id);
  const waiting = await storedJob(id);
  expect(waiting).toMatchObject({ status: "QUEUED", waitReason: "PROVIDER_UNAVAILABLE" });
  expect((await storedConnection()).status).toBe("CONNECTED");
  const registrationId = registrations.PROVIDER_A;
  const expected = { provider: "PROVIDER_A", registrationId, begunAt: refusedAt, endedAt: null };
  expect(await incidents()).toMatchObject([expected]);

  service.clock.set(waiting.nextRetryAt ?? expect.fail("the job does not wait"));
  await runScan(service, id);
  expect(await incidents()).toMatchObject([expected]);

  service.clock.advance(60 * MINUTE);
  await runScan(service, id);
  expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED" });
  expect(await incidents()).toEqual([]);
});

test("a call that the provider accepts under another registration ends no incident of one", async () => {
  const refusedSince = service.clock.current;
  const where = { id: registrations.PROVIDER_A };
  await service.prisma.providerRegistration.update({ where, data: { refusedSince } });
  const other = { ...registrations, PROVIDER_A: await createPublished(service, "PROVIDER_A") };
  const elsewhere = await createConnection(service, application, other, { accountId: "elsewhere" });
  await runScan(service, (await calls.refresh(service, application, elsewhere)).id);
  expect(await incidents()).toMatchObject([{ registrationId: where.id, begunAt: refusedSince, endedAt: null }]);
  service.fakes.PROVIDER_A.failNext("listContent", "application_refused");
  await scan();
  const refused = await service.prisma.providerRegistration.findMany({ where: { refusedSince: { not: null } } });
  expect(refused.map(({ id }) => id)).toEqual([where.id]);
  await scan();
  expect(await incidents()).toEqual([]);
});

test("does not report an outage, a limit or a refusal of one account as an incident of the registration", async () => {
  const fake = service.fakes.PROVIDER_A;
  for (const kind of ["unavailable", "rate_limited", "account_unreadable", "scope_missing", "rejected"] as const) {
    fake.failNext("listContent", kind);
    await scan();
  }
  expect(await incidents()).toEqual([]);
});

test("a state that cannot be stored does not change the outcome of the call", async () => {
  await connect({ provider: "PROVIDER_B" });
  const id = registrations.PROVIDER_B;
  const broken = { ...service, prisma: {} as typeof service.prisma };
  const refusal = new ProviderError("application_refused", "invalid_client");
  await expect(noteRefusal(broken, { id, refusedSince: null }, () => Promise.reject(refusal))).rejects.toBe(refusal);
  const since = service.clock.current;
  expect(await noteRefusal(broken, { id, refusedSince: since }, async () => "read")).toBe("read");
});
