import { addMs } from "@social-connect/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { ProviderBreakers } from "../../providers/breakers.ts";
import { completeConnect } from "../connect/completeConnect.ts";
import { redeemLaunchToken } from "../connect/redeemLaunchToken.ts";
import { ORIGIN } from "../testing/builders.ts";
import * as calls from "../testing/calls.ts";
import { postsOf } from "../testing/connections.ts";
import { type CountingApi, setQuota, startCountingApi } from "../testing/countingApi.ts";
import { application, connect, registrations, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { runRevoke, runScan } from "../testing/tasks.ts";

useApplicationPerTest();

const PAUSE_MS = 30_000;

let api: CountingApi;

beforeEach(async () => {
  Object.assign(service, { breakers: new ProviderBreakers(service) });
  const fake = service.fakes.PROVIDER_A;
  fake.posts = postsOf(5, service.clock.current);
  api = await startCountingApi(service, registrations.PROVIDER_A);
  await setQuota(service, registrations.PROVIDER_A, { units: 1_000, window: "day" });
  fake.callsApi = true;
});
afterEach(async () => {
  service.fakes.PROVIDER_A.callsApi = false;
  await api.close();
});

test("after repeated failures of several accounts, jobs wait without a call and without using quota, then continue", async () => {
  await failScans(10);
  const used = await usedQuota();
  expect(used).toBe(10);

  const waiting = await requestScan(await connect({ accountId: "waiting" }));
  await runScan(service, waiting);
  const job = await jobOf(waiting);
  expect(job).toMatchObject({ status: "QUEUED", waitReason: "PROVIDER_UNAVAILABLE", errorCode: null });
  expect(job.nextRetryAt?.getTime()).toBeGreaterThanOrEqual(addMs(service.clock.current, PAUSE_MS).getTime());
  expect(service.fakes.PROVIDER_A.countOf("listContent")).toBe(10);
  expect(await usedQuota()).toBe(used);

  service.clock.set(job.nextRetryAt ?? expect.fail("the job does not wait"));
  await runScan(service, waiting);
  expect(await jobOf(waiting)).toMatchObject({ status: "SUCCEEDED", waitReason: null });
  await runScan(service, await requestScan(await connect({ accountId: "later" })));
  expect(service.fakes.PROVIDER_A.countOf("listContent")).toBe(12);
});

test("probes of two accounts that fail pause the provider again", async () => {
  await failScans(10);
  service.clock.advance(PAUSE_MS);
  await failScans(2, "probe");
  await runScan(service, await requestScan(await connect({ accountId: "after" })));
  expect(service.fakes.PROVIDER_A.countOf("listContent")).toBe(12);
});

test("an account whose probe fails after every pause does not keep the provider paused for others", async () => {
  const failing = await connect({ accountId: "failing" });
  // The same account of another subject.
  const again = await connect({ accountId: "failing", externalSubjectId: "user-2" });
  await failScans(10);
  service.clock.advance(PAUSE_MS);
  await failScan(await requestScan(failing));
  service.clock.advance(PAUSE_MS);
  await failScan(await requestScan(again));
  const id = await requestScan(await connect({ accountId: "other" }));
  await runScan(service, id);
  expect(await jobOf(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("the jobs of another provider run during the pause", async () => {
  await failScans(10);
  service.fakes.PROVIDER_B.posts = postsOf(5, service.clock.current);
  const id = await requestScan(await connect({ provider: "PROVIDER_B" }));
  await runScan(service, id);
  expect(await jobOf(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("failures of one account do not pause the provider for others, also if two subjects connected it", async () => {
  const failing = await connect({ accountId: "failing" });
  const again = await connect({ accountId: "failing", externalSubjectId: "user-2" });
  for (let index = 0; index < 4; index += 1) {
    const id = await requestScan(index % 2 === 0 ? failing : again);
    // Eight attempts, the limit of a read.
    for (let attempt = 0; attempt < 8; attempt += 1) await failScan(id);
    expect(await jobOf(id)).toMatchObject({ status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE" });
  }
  const id = await requestScan(await connect({ accountId: "other" }));
  await runScan(service, id);
  expect(await jobOf(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("revokes and the exchange of a connect attempt are still sent", async () => {
  const leaving = await connect({ accountId: "leaving" });
  await failScans(10);
  const session = await calls.startConnect(service, application);
  const launched = await redeemLaunchToken(service, { launchToken: session.launchToken.reveal(), origin: ORIGIN });
  if (launched.outcome !== "redirect") throw new Error(launched.outcome);
  const query = new URLSearchParams({ code: "code", state: launched.location.searchParams.get("state") ?? "" });
  const browserSecretOf = () => launched.browserSecret.reveal();
  const ended = await completeConnect(service, { provider: "PROVIDER_A", query, browserSecretOf });
  expect(ended).toMatchObject({ outcome: "ended", attempt: { status: "COMPLETED", resultCode: null } });

  const { revokeJobId } = await calls.disconnect(service, application, leaving);
  await runRevoke(service, revokeJobId);
  expect(await jobOf(revokeJobId)).toMatchObject({ status: "SUCCEEDED" });
});

/** Scans of this many accounts, which all fail. */
async function failScans(number: number, name = "down"): Promise<void> {
  for (let index = 0; index < number; index += 1) {
    await failScan(await requestScan(await connect({ accountId: `${name}-${index}` })));
  }
}

/** Runs an attempt that fails, at the job's time. */
async function failScan(id: string): Promise<void> {
  const { nextRetryAt } = await jobOf(id);
  if (nextRetryAt !== null) service.clock.set(nextRetryAt);
  service.fakes.PROVIDER_A.failNext("listContent", "unavailable");
  await runScan(service, id);
}

async function requestScan(connection: Connection): Promise<string> {
  return (await calls.refresh(service, application, connection)).id;
}

function jobOf(id: string) {
  return service.prisma.job.findFirstOrThrow({ where: { id } });
}

async function usedQuota(): Promise<number> {
  const { _sum } = await service.prisma.providerQuota.aggregate({ _sum: { used: true } });
  return _sum.used ?? 0;
}
