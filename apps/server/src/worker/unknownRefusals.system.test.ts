/**
 * Refusals with codes that no provider documents, on a service with its own worker that reads the simulator, while the clock of
 * both moves by 26 hours. Each case has its own registration, so that all of them share the hours.
 */
import { CAPABILITIES } from "@social-connect/contract";
import { type CallKind, type CallRefusal, describeAnswer, providerSlug } from "@social-connect/domain";
import type { RunningSimulator } from "@social-connect/simulator";
import { eventually, sampled } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { listConnections } from "../modules/connections/listConnections.ts";
import { callRefusalsOf } from "../modules/registrations/callRefusals.ts";
import { readRefusedClients } from "../modules/registrations/readRefusedRegistrations.ts";
import { createRegistrations } from "../modules/testing/builders.ts";
import { refresh } from "../modules/testing/calls.ts";
import { scopeOf } from "../modules/testing/connections.ts";
import { MovableClock } from "../platform/time/clock.ts";
import { providerAdapter } from "../providers/registry/registry.ts";
import { createTaskQueue, type SendingTaskQueue } from "./taskQueue.ts";
import { linkAtSimulator, registerAtSimulator, simulateProviderA } from "./testing/atSimulator.ts";
import { type RealTimeService, startServiceOnClock } from "./testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

const HOUR = 3_600_000;

/** The providers whose refusals are tried. */
type Tried = "PROVIDER_A" | "PROVIDER_B" | "PROVIDER_C";

interface Refusal {
  readonly provider: Tried;
  readonly calls: Exclude<CallKind, "LOOKUP">;
  /** Whether all three accounts of the registration are refused, or one. */
  readonly of: "one" | "all";
  readonly status: number;
  readonly code: string;
  readonly message?: string;
}

const ENDPOINTS: Readonly<Record<Tried, Readonly<Record<Refusal["calls"], readonly string[]>>>> = {
  PROVIDER_A: { TOKEN: ["refresh"], ACCOUNT: ["channels"], LIST: ["playlistItems", "videos"], METRICS: [] },
  PROVIDER_B: { TOKEN: ["refresh"], ACCOUNT: ["user-info"], LIST: ["video-list"], METRICS: [] },
  PROVIDER_C: { TOKEN: ["refresh"], ACCOUNT: ["me"], LIST: ["media"], METRICS: ["insights"] },
};

const [A, B, C] = ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const;
/** Those that need another day to be restored are last. */
const REFUSALS: readonly Refusal[] = [
  { provider: A, calls: "TOKEN", of: "one", status: 400, code: "access_denied" },
  { provider: A, calls: "TOKEN", of: "all", status: 403, code: "policy_review_pending" },
  { provider: A, calls: "ACCOUNT", of: "one", status: 400, code: "regionUnsettled" },
  { provider: A, calls: "LIST", of: "one", status: 403, code: "ageGateUnresolved" },
  { provider: A, calls: "LIST", of: "all", status: 403, code: "catalogueSealed" },
  { provider: B, calls: "TOKEN", of: "one", status: 400, code: "10014" },
  { provider: B, calls: "TOKEN", of: "all", status: 400, code: "10077" },
  { provider: B, calls: "ACCOUNT", of: "one", status: 403, code: "profile_sealed" },
  // An error with status 200.
  { provider: B, calls: "LIST", of: "one", status: 200, code: "age_gate_unresolved" },
  { provider: B, calls: "LIST", of: "all", status: 403, code: "contract_unsigned" },
  { provider: C, calls: "TOKEN", of: "one", status: 400, code: "77002" },
  { provider: C, calls: "TOKEN", of: "all", status: 403, code: "77003" },
  { provider: C, calls: "ACCOUNT", of: "one", status: 403, code: "36.2207999" },
  {
    ...{ provider: C, calls: "LIST", of: "one", status: 400, code: "100" },
    message: "Unsupported request - method type: get",
  },
  { provider: C, calls: "LIST", of: "all", status: 403, code: "77001" },
  { provider: C, calls: "METRICS", of: "one", status: 400, code: "9004" },
  { provider: A, calls: "ACCOUNT", of: "all", status: 400, code: "operatorConsentPending" },
  { provider: B, calls: "ACCOUNT", of: "all", status: 403, code: "region_unsettled" },
  { provider: C, calls: "ACCOUNT", of: "all", status: 400, code: "2500" },
];
/** One of each kind of call, of one account and of all. */
const TRIED = sampled(REFUSALS, 1, 2);
const CASES = new Map(
  TRIED.map((refusal) => [`${refusal.calls} calls of ${refusal.of} at ${refusal.provider}`, refusal]),
);
const NAMES = [...CASES.keys()];

const ENDS = {
  TOKEN: "RECONNECT_REQUIRED",
  ACCOUNT: "RECONNECT_REQUIRED",
  LIST: "CONTENT_LIST",
  METRICS: "CONTENT_METRICS",
} as const;

/**
 * Where a refusal is seen: the connection's status, a capability, or an incident of the registration. null: PROVIDER_C's tokens
 * are renewed 20 days before their end, and work until then.
 */
function whereSeen({ provider, calls, of }: Refusal): (typeof ENDS)[Refusal["calls"]] | "REGISTRATION" | null {
  if (provider === C && calls === "TOKEN") return null;
  return of === "all" ? "REGISTRATION" : ENDS[calls];
}

function caseOf(name: string): Refusal {
  return CASES.get(name) ?? expect.fail(`no case is called ${name}`);
}

/** Accounts of the case's registration, the refused ones first. */
function accountsOf({ calls, of }: Refusal): readonly [string, string, string] {
  return [`${calls}-${of}-1`, `${calls}-${of}-2`, `${calls}-${of}-3`].map((name) => name.toLowerCase()) as [
    string,
    string,
    string,
  ];
}

function refusedOf(refusal: Refusal): readonly string[] {
  return refusal.of === "all" ? accountsOf(refusal) : accountsOf(refusal).slice(0, 1);
}

const MESSAGE = "An undocumented refusal.";
const UNREFUSED = { status: "CONNECTED", callRefusals: {} };

let real: RealTimeService<MovableClock>;
let simulator: RunningSimulator;
let worker: RunningWorker;
let queue: SendingTaskQueue;
const connections = new Map<string, readonly Connection[]>();
let linkedAt: Date;

beforeAll(async () => {
  real = await startServiceOnClock((pool) => new MovableClock(pool));
  Object.assign(real.service, { provider: providerAdapter });
  queue = createTaskQueue(real.service.pool, real.service.clock);
  simulator = await simulateProviderA(real);
  worker = await startWorker(real.service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
  for (const [name, refusal] of CASES) connections.set(name, await linkAll(refusal));
  await settled();
  for (const refusal of TRIED) {
    const { provider, calls, status, code, message = MESSAGE } = refusal;
    const rule = { provider: providerSlug(provider), endpoint: ENDPOINTS[provider][calls], count: 1_000_000 };
    const fault = { kind: "refused", status, code, message };
    for (const account of refusedOf(refusal)) await control("POST", "/faults", { ...rule, account, fault });
  }
  linkedAt = await real.service.clock.now();
  // Background reads are up to 23 hours apart.
  for (const hours of [20, 3.1, 1.1, 1.1, 0.7]) await advance(hours);
}, 900_000);
afterAll(async () => {
  await worker?.stop();
  await simulator?.close();
  await real?.service.close();
});

test.each(NAMES)("a refusal of %s is seen within 26 hours, with the provider's code and message", async (name) => {
  const refusal = caseOf(name);
  const { calls, provider, code, message = MESSAGE } = refusal;
  const seen = whereSeen(refusal);
  const [refused, ...others] = await stored(name);
  const incident = (await readRefusedClients(real.service)).find(({ id }) => id === refused.registrationId);
  if (seen === null) {
    expect(incident).toBeUndefined();
    for (const one of [refused, ...others]) {
      expect(one).toMatchObject({ ...UNREFUSED, nextProfileAt: expect.any(Date), nextScanAt: expect.any(Date) });
      expect(one.lastSuccessfulSyncAt?.getTime()).toBeGreaterThan(linkedAt.getTime());
      expect(await versionOf(one)).toBe(1);
    }
    return;
  }
  expect(callRefusalsOf(refused)[calls]).toMatchObject({ code, message } satisfies Partial<CallRefusal>);
  if (seen === "REGISTRATION") {
    expect(incident).toMatchObject({ provider, detail: describeAnswer({ code, message }) });
    for (const one of [refused, ...others]) {
      expect(one).toMatchObject({
        status: "CONNECTED",
        nextProfileAt: expect.any(Date),
        nextScanAt: expect.any(Date),
      });
    }
    return;
  }
  expect(incident).toBeUndefined();
  for (const { status, callRefusals } of others) expect({ status, callRefusals }).toEqual(UNREFUSED);
  if (seen === "RECONNECT_REQUIRED") {
    expect(refused).toMatchObject({ status: seen, nextScanAt: null, nextProfileAt: null });
    return;
  }
  const { capabilities } = await shown(refused);
  expect(capabilities).toContainEqual({
    capability: seen,
    availability: "UNAVAILABLE",
    reason: "UPSTREAM_UNAVAILABLE",
  });
  expect(capabilities.filter(({ availability }) => availability === "AVAILABLE")).toHaveLength(CAPABILITIES.length - 1);
  expect(refused.status).toBe("CONNECTED");
  if (seen === "CONTENT_LIST") expect(refused.nextScanAt).toBeNull();
});

test.each(NAMES)("after a refusal of %s, a good answer to a requested read restores everything", async (name) => {
  const refusal = caseOf(name);
  const { calls, provider } = refusal;
  const seen = whereSeen(refusal);
  const [before] = await stored(name);
  if (seen !== "REGISTRATION" && seen !== null) {
    const { id } = await ask(before);
    await settled();
    // The post itself is read without its numbers.
    expect((await jobOf(id)).status).toBe(calls === "METRICS" ? "SUCCEEDED" : "FAILED");
    const [still] = await stored(name);
    expect(callRefusalsOf(still)[calls]?.endedAt).toBe(callRefusalsOf(before)[calls]?.endedAt);
  }
  for (const account of refusedOf(refusal)) await forget(providerSlug(provider), account);
  const asked: string[] = [];
  for (const one of await stored(name)) asked.push((await ask(one)).id);
  await settled();
  await retried(asked);
  const [after, ...others] = await stored(name);
  // The account of a registration that is refused is read again by its schedule.
  if (seen === "REGISTRATION" && calls === "ACCOUNT") await advance(24);
  for (const one of await stored(name)) {
    expect(one).toMatchObject({ status: "CONNECTED", nextScanAt: expect.any(Date) });
    expect(one.callRefusals).toEqual({});
    expect(one.nextProfileAt).toBeInstanceOf(Date);
    for (const { availability } of (await shown(one)).capabilities) expect(availability).toBe("AVAILABLE");
    if (seen === null) expect(await versionOf(one)).toBeGreaterThan(1);
  }
  expect(others).toHaveLength(2);
  expect((await readRefusedClients(real.service)).map(({ id }) => id)).not.toContain(after.registrationId);
});

/** How often its credential was stored. */
async function versionOf({ id: connectionId }: Connection): Promise<number> {
  return (await real.service.prisma.grant.findFirstOrThrow({ where: { connectionId } })).version;
}

/** Reads what the refusal concerns. */
async function ask(connection: Connection) {
  const { service, application } = real;
  const isOfNumbers = callRefusalsOf(connection).METRICS !== undefined;
  const post = isOfNumbers && (await service.prisma.contentItem.findFirst({ where: { connectionId: connection.id } }));
  return refresh(service, application, connection, post ? { providerContentId: post.providerContentId } : {});
}

async function linkAll(refusal: Refusal): Promise<Connection[]> {
  const { provider, calls } = refusal;
  const registrations = await createRegistrations(real.base);
  await registerAtSimulator({ ...real, registrations }, simulator, provider);
  const linked: Connection[] = [];
  for (const name of accountsOf(refusal)) {
    // Otherwise this provider's access tokens last a day.
    const script = provider === B && calls === "TOKEN" ? { script: "rotating-refresh" } : {};
    await control("POST", "/accounts", { provider: providerSlug(provider), name, ...script });
    linked.push(await linkAtSimulator({ ...real, registrations }, provider, name));
  }
  if (provider === C && calls === "TOKEN") {
    const where = { connectionId: { in: linked.map(({ id }) => id) } };
    const accessTokenExpiresAt = new Date((await real.service.clock.now()).getTime() + 19 * 24 * HOUR);
    await real.service.prisma.grant.updateMany({ where, data: { accessTokenExpiresAt } });
  }
  return linked;
}

async function stored(name: string): Promise<[Connection, ...Connection[]]> {
  const ids = (connections.get(name) ?? []).map(({ id }) => id);
  const rows = await real.service.prisma.connection.findMany({ where: { id: { in: ids } } });
  return ids.map((id) => rows.find((row) => row.id === id)) as [Connection, ...Connection[]];
}

async function shown(connection: Connection) {
  const { service, application } = real;
  const page = await listConnections(service, application.caller, scopeOf(connection), { first: 1, after: null });
  return page.items[0] ?? expect.fail("the connection is not listed");
}

function jobOf(id: string) {
  return real.service.prisma.job.findFirstOrThrow({ where: { id } });
}

async function advance(hours: number): Promise<void> {
  await control("POST", "/clock", { advanceMs: Math.round(hours * HOUR) });
  await real.service.clock.advance(Math.round(hours * HOUR));
  await queue.sweepSoon();
  await settled();
}

/** Moves the clock until none of these jobs waits for its next attempt, such as a scan that had been retried before. */
async function retried(ids: readonly string[]): Promise<void> {
  for (let moves = 0; moves < 5; moves += 1) {
    const waiting = await real.service.prisma.job.findMany({ where: { id: { in: [...ids] }, status: "QUEUED" } });
    const times = waiting.map(({ nextRetryAt }) => nextRetryAt?.getTime() ?? 0);
    if (times.length === 0) return;
    const now = await real.service.clock.now();
    await advance(Math.max(1, Math.max(...times) - now.getTime()) / HOUR);
  }
}

/** Waits until nothing is due. */
async function settled(): Promise<void> {
  await eventually(async () => {
    const { prisma, clock } = real.service;
    const now = await clock.now();
    const due = [{ nextScanAt: { lte: now } }, { nextProfileAt: { lte: now } }];
    const waits = { status: "QUEUED" as const, OR: [{ nextRetryAt: null }, { nextRetryAt: { lte: now } }] };
    const open = await Promise.all([
      prisma.connection.count({ where: { OR: due } }),
      prisma.job.count({ where: { OR: [{ status: "RUNNING" }, waits] } }),
    ]);
    if (open[0] > 0) await queue.sweepSoon();
    expect(open).toEqual([0, 0]);
  });
}

async function forget(provider: string, account: string): Promise<void> {
  const { faults } = (await control("GET", "/faults")) as {
    faults: { id: string; provider: string; account?: string }[];
  };
  for (const fault of faults) {
    if (fault.provider === provider && fault.account === account) await control("DELETE", `/faults/${fault.id}`);
  }
}

async function control(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${simulator.simulatorUrl}/__sim${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const answer = await response.text();
  expect([response.status, answer]).toEqual([expect.any(Number), expect.not.stringContaining('error":')]);
  return answer === "" ? null : JSON.parse(answer);
}
