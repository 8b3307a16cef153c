import { incidentKey, ROLLUP_SERIES } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import { createApplication } from "../testing/builders.ts";
import { refresh } from "../testing/calls.ts";
import { createConnection } from "../testing/connections.ts";
import { registrations, service, useApplication } from "../testing/fixtures.ts";
import { readActivity } from "./readActivity.ts";
import { readIncidents } from "./readIncidents.ts";
import { RollupCounts } from "./rollupCounts.ts";
import { startRollupWriter } from "./rollupWriter.ts";
import { setValues } from "./store.ts";

useApplication();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { apiCalls, clientVersions, connections, jobAttempts, providerCalls, quotaUnits, quotaUsed } = ROLLUP_SERIES;

beforeEach(async () => {
  await service.prisma.rollup.deleteMany();
  service.clock.set("2026-03-10T12:00:20.000Z");
});

/** Counts calls to a provider in each of some minutes. */
async function countCalls(minutes: number, calls: Readonly<Record<string, number>>): Promise<void> {
  const registrationId = registrations.PROVIDER_B;
  for (let minute = 0; minute < minutes; minute += 1) {
    const counts = new RollupCounts();
    for (const [outcome, count] of Object.entries(calls)) {
      for (let call = 0; call < count; call += 1)
        counts.add(providerCalls, { provider: "PROVIDER_B", registrationId, kind: "api", outcome });
    }
    await startRollupWriter(service, counts).stop();
    service.clock.advance(MINUTE);
  }
}

test("an outage begins, continues, ends and remains in the history for a day", async () => {
  const seen = async () => {
    const incidents = await readIncidents(service);
    return incidents.map(({ cause, provider, begunAt, endedAt, failed, total }) => {
      const times = [begunAt, endedAt].map((at) => at?.toISOString().slice(11, 16) ?? null);
      return [cause, provider, ...times, `${failed}/${total}`];
    });
  };
  await countCalls(5, { ok: 10 });
  expect(await seen()).toEqual([]);
  await countCalls(5, { ok: 6, http_5xx: 4 });
  expect(await seen()).toEqual([["PROVIDER_CALLS_FAIL", "PROVIDER_B", "12:05", null, "20/50"]]);
  await countCalls(12, { ok: 10, http_429: 3 });
  const ended = [["PROVIDER_CALLS_FAIL", "PROVIDER_B", "12:05", "12:10", "20/50"]];
  expect(await seen()).toEqual(ended);
  service.clock.advance(23 * HOUR);
  expect(await seen()).toEqual(ended);
  service.clock.advance(HOUR);
  expect(await seen()).toEqual([]);
});

test("a job without a worker and a late sweep are incidents until they are not", async () => {
  const application = await createApplication(service, "stuck");
  await refresh(service, application, await createConnection(service, application, registrations));
  const ranAt = service.clock.current;
  const state = { ranAt, handled: 0, remaining: 0 };
  await service.prisma.sweepState.create({ data: { name: "deleteJobs", succeededAt: ranAt, ...state } });
  const ids = async () => (await readIncidents(service)).map(incidentKey);
  service.clock.advance(10 * MINUTE - 1);
  expect(await ids()).toEqual([]);
  service.clock.advance(1);
  expect(await ids()).toEqual(["JOBS_STUCK"]);
  service.clock.advance(3 * HOUR);
  expect(await ids()).toEqual(["SWEEP_LATE deleteJobs", "JOBS_STUCK"]);
  await service.prisma.job.deleteMany();
  await service.prisma.sweepState.deleteMany();
  expect(await ids()).toEqual([]);
});

test("sums steps of a range by client and provider", async () => {
  const { PROVIDER_A: registrationId } = registrations;
  const { id: clientId } = await createApplication(service, "charted");
  const counts = new RollupCounts();
  const writer = startRollupWriter(service, counts);
  const count = async () => {
    counts.add(apiCalls, { applicationId: clientId, kind: "consumer", code: "OK" });
    counts.add(apiCalls, { applicationId: null, kind: "consumer", code: "UNAUTHENTICATED" });
    counts.add(clientVersions, { applicationId: clientId, kind: "sdk", code: "0.1.0" });
    counts.add(clientVersions, { applicationId: clientId, kind: "none" });
    counts.add(apiCalls, { applicationId: null, kind: "panel", code: "OK" });
    const job = { applicationId: clientId, registrationId, provider: "PROVIDER_A", kind: "SCAN" };
    counts.add(jobAttempts, { ...job, outcome: "QUEUED", code: "QUOTA" });
    counts.add(jobAttempts, { ...job, outcome: "FAILED", code: "RECONNECT_REQUIRED" });
    await writer.write();
  };
  await count();
  service.clock.advance(MINUTE);
  await count();
  const quota = { ownerId: registrationId, provider: "PROVIDER_A", kind: "client", outcome: "", code: "" };
  for (const [minute, used] of [40, 60].entries()) {
    const row = { ...quota, seconds: 60, startsAt: new Date(Date.UTC(2026, 2, 10, 12, minute)) } as const;
    await setValues(
      service.pool,
      [
        { ...row, series: quotaUsed, count: used },
        { ...row, series: quotaUnits, count: 100 },
      ],
      "highest",
    );
  }
  const state = {
    series: connections,
    seconds: 3_600,
    ownerId: "00000000-0000-0000-0000-000000000000",
    kind: "",
    code: "",
  } as const;
  const startsAt = new Date("2026-03-10T12:00:00.000Z");
  await setValues(
    service.pool,
    [{ ...state, startsAt, provider: "PROVIDER_A", outcome: "CONNECTED", count: 7 }],
    "latest",
  );

  const read = async (filter: Partial<Parameters<typeof readActivity>[1]>) => {
    const all = { range: "DAY", clientId: null, provider: null, ...filter } as const;
    const { counts: rows, ...steps } = await readActivity(service, all);
    return {
      ...steps,
      rows: rows.map(
        ({ series, at, label, count: of }) => `${series} ${at.toISOString().slice(11, 16)} ${label} ${of}`,
      ),
    };
  };
  const calls = "api_calls 12:00 OK 2";
  const versions = ["client_versions 12:00 none 2", "client_versions 12:00 sdk 0.1.0 2"];
  const jobs = ["job_attempts 12:00 FAILED RECONNECT_REQUIRED 2", "job_attempts 12:00 QUEUED QUOTA 2"];
  const ofClient = [calls, ...versions, ...jobs];
  expect((await read({ clientId })).rows).toEqual(ofClient);
  const whole = [calls, "api_calls 12:00 UNAUTHENTICATED 2", ...versions, "connections 12:00 CONNECTED 7", ...jobs];
  const budget = [`quota_units 12:00 ${registrationId} client 100`, `quota_used 12:00 ${registrationId} client 60`];
  expect(await read({})).toEqual({
    from: new Date("2026-03-09T12:15:00.000Z"),
    lastStepAt: startsAt,
    stepSeconds: 900,
    rows: [...whole, ...budget],
  });
  expect((await read({ provider: "PROVIDER_A" })).rows).toEqual(["connections 12:00 CONNECTED 7", ...jobs, ...budget]);
  expect((await read({ provider: "PROVIDER_B" })).rows).toEqual([]);
  expect((await read({ clientId: "no id" })).rows).toEqual([]);
  expect((await read({ range: "HOUR", clientId })).rows).toHaveLength(8);
  // Hours are counted with the minutes.
  expect((await read({ range: "MONTH", clientId })).rows).toEqual(ofClient);
  await writer.stop();
});
