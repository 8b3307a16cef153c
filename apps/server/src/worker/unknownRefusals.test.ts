/**
 * Refusals with codes that no provider documents, on a service with its own worker that reads the simulator, while the clock of
 * both moves by 26 hours. Each case has its own registration, so that all of them share the hours.
 */
import { createHash } from "node:crypto";
import { CAPABILITIES, type Capability, type SocialProvider } from "@social-connect/contract";
import { bySlug, type CallKind, type CallRefusal, describeAnswer, providerSlug } from "@social-connect/domain";
import { giveConsent, type RunningSimulator, simulatorRegistration, startSimulator } from "@social-connect/simulator";
import { eventually } from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { listConnections } from "../modules/connections/listConnections.ts";
import { callRefusalsOf } from "../modules/registrations/callRefusals.ts";
import { readRefusedClients } from "../modules/registrations/readRefusedRegistrations.ts";
import { registrationAccess } from "../modules/registrations/registrationAccess.ts";
import { createRegistrations, moveRegistration } from "../modules/testing/builders.ts";
import { refresh, startInitialReads } from "../modules/testing/calls.ts";
import { createConnection, scopeOf } from "../modules/testing/connections.ts";
import { MovableClock } from "../platform/clock.ts";
import { providerAdapter } from "../providers/registry/registry.ts";
import { createTaskQueue, type SendingTaskQueue } from "./taskQueue.ts";
import { type RealTimeService, startServiceOnClock } from "./testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

const HOUR = 3_600_000;
const REDIRECT = "http://127.0.0.1:9/callback";
const VERIFIER = "a-verifier-of-the-length-that-is-asked-for-0123456789";
const client = { clientId: "client", clientSecret: "secret", redirectUris: [REDIRECT] };
/** Accounts that are read in every case of one refused account. */
const READ = ["unicode", "missing-metrics"];

interface Refusal {
  readonly provider: SocialProvider;
  readonly endpoint: readonly string[];
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  readonly accounts: readonly [string, ...string[]];
  readonly calls: CallKind;
  /** Where it is seen: the connection's status, a capability, or an incident of the registration. */
  readonly seen: "RECONNECT_REQUIRED" | Capability | "REGISTRATION";
}

const A_POSTS = ["playlistItems", "videos"];
const CASES: Readonly<Record<string, Refusal>> = {
  "the list of one account at PROVIDER_A": {
    ...{ provider: "PROVIDER_A", endpoint: A_POSTS, status: 403, code: "ageGateUnresolved" },
    ...{ accounts: ["harbor-workshop"], calls: "LIST", seen: "CONTENT_LIST" },
  },
  "the account at PROVIDER_A": {
    ...{ provider: "PROVIDER_A", endpoint: ["channels"], status: 400, code: "regionUnsettled" },
    ...{ accounts: ["kitchen-atlas"], calls: "ACCOUNT", seen: "RECONNECT_REQUIRED" },
  },
  "every refresh of one account at PROVIDER_A": {
    ...{ provider: "PROVIDER_A", endpoint: ["refresh"], status: 400, code: "access_denied" },
    ...{ accounts: ["night-trains"], calls: "TOKEN", seen: "RECONNECT_REQUIRED" },
  },
  "every refresh at PROVIDER_A": {
    ...{ provider: "PROVIDER_A", endpoint: ["refresh"], status: 403, code: "policy_review_pending" },
    ...{ accounts: ["hidden-likes", "comments-off", "burst"], calls: "TOKEN", seen: "REGISTRATION" },
  },
  "the list of one account at PROVIDER_B, with status 200": {
    ...{ provider: "PROVIDER_B", endpoint: ["video-list"], status: 200, code: "age_gate_unresolved" },
    ...{ accounts: ["paper-cranes"], calls: "LIST", seen: "CONTENT_LIST" },
  },
  "every refresh of one account at PROVIDER_B": {
    ...{ provider: "PROVIDER_B", endpoint: ["refresh"], status: 400, code: "10014" },
    // Its access tokens end after 30 seconds.
    ...{ accounts: ["rotating-refresh"], calls: "TOKEN", seen: "RECONNECT_REQUIRED" },
  },
  "every list at PROVIDER_B": {
    ...{ provider: "PROVIDER_B", endpoint: ["video-list"], status: 403, code: "contract_unsigned" },
    ...{ accounts: ["desert-runner", "photo-posts", "other-forms"], calls: "LIST", seen: "REGISTRATION" },
  },
  "the list of one account at PROVIDER_C": {
    ...{ provider: "PROVIDER_C", endpoint: ["media"], status: 400, code: "100" },
    ...{ message: "Unsupported request - method type: get" },
    ...{ accounts: ["tidepool-studio"], calls: "LIST", seen: "CONTENT_LIST" },
  },
  "the account at PROVIDER_C": {
    ...{ provider: "PROVIDER_C", endpoint: ["me"], status: 403, code: "36.2207999" },
    ...{ accounts: ["linen-and-clay"], calls: "ACCOUNT", seen: "RECONNECT_REQUIRED" },
  },
  "the numbers of one account at PROVIDER_C": {
    ...{ provider: "PROVIDER_C", endpoint: ["insights"], status: 400, code: "9004" },
    ...{ accounts: ["city-swifts"], calls: "METRICS", seen: "CONTENT_METRICS" },
  },
  "every account at PROVIDER_C": {
    ...{ provider: "PROVIDER_C", endpoint: ["me"], status: 400, code: "2500" },
    ...{ accounts: ["hidden-likes", "no-shares", "comments-off"], calls: "ACCOUNT", seen: "REGISTRATION" },
  },
};
const NAMES = Object.keys(CASES);
const MESSAGE = "An undocumented refusal.";
const UNREFUSED = { status: "CONNECTED", callRefusals: {} };

let real: RealTimeService<MovableClock>;
let simulator: RunningSimulator;
let worker: RunningWorker;
let queue: SendingTaskQueue;
const connections = new Map<string, readonly Connection[]>();

beforeAll(async () => {
  real = await startServiceOnClock((pool) => new MovableClock(pool));
  Object.assign(real.service, { provider: providerAdapter });
  queue = createTaskQueue(real.service.pool, real.service.clock);
  const clients = bySlug(() => [client]);
  simulator = await startSimulator({ port: 0, issuerPort: 0, clients, issuerClients: [] });
  worker = await startWorker(real.service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
  for (const name of NAMES) connections.set(name, await linkAll(CASES[name] as Refusal));
  await settled();
  for (const { provider, endpoint, accounts, status, code, message = MESSAGE } of Object.values(CASES)) {
    const fault = { kind: "refused", status, code, message };
    for (const account of accounts) {
      const rule = { provider: providerSlug(provider), endpoint, account, fault, count: 1_000_000 };
      await control("POST", "/faults", rule);
    }
  }
  // Background reads are up to 23 hours apart.
  for (const hours of [20, 3.1, 1.1, 1.1, 0.7]) await advance(hours);
}, 900_000);
afterAll(async () => {
  await worker?.stop();
  await simulator?.close();
  await real?.service.close();
});

describe.each(NAMES)("a provider refuses %s", (name) => {
  const { calls, seen, code, message = MESSAGE, accounts, provider } = CASES[name] as Refusal;

  test("is seen within 26 hours, with the provider's code and message", async () => {
    const [refused, ...others] = await stored(name);
    expect(callRefusalsOf(refused)[calls]).toMatchObject({ code, message } satisfies Partial<CallRefusal>);
    const incident = (await readRefusedClients(real.service)).find(({ id }) => id === refused.registrationId);
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
    expect(capabilities.filter(({ availability }) => availability === "AVAILABLE")).toHaveLength(
      CAPABILITIES.length - 1,
    );
    expect(refused.status).toBe("CONNECTED");
    if (seen === "CONTENT_LIST") expect(refused.nextScanAt).toBeNull();
  });

  test("a good answer to a requested read restores everything", async () => {
    const [before] = await stored(name);
    if (seen !== "REGISTRATION") {
      const { id } = await ask(before);
      await settled();
      // The post itself is read without its numbers.
      expect((await jobOf(id)).status).toBe(calls === "METRICS" ? "SUCCEEDED" : "FAILED");
      const [still] = await stored(name);
      expect(callRefusalsOf(still)[calls]?.endedAt).toBe(callRefusalsOf(before)[calls]?.endedAt);
    }
    for (const account of accounts) await forget(providerSlug(provider), account);
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
    }
    expect(others).toHaveLength(2);
    expect((await readRefusedClients(real.service)).map(({ id }) => id)).not.toContain(after.registrationId);
  });
});

/** Reads what the refusal concerns. */
async function ask(connection: Connection) {
  const { service, application } = real;
  const isOfNumbers = callRefusalsOf(connection).METRICS !== undefined;
  const post = isOfNumbers && (await service.prisma.contentItem.findFirst({ where: { connectionId: connection.id } }));
  return refresh(service, application, connection, post ? { providerContentId: post.providerContentId } : {});
}

async function linkAll({ provider, accounts }: Refusal): Promise<Connection[]> {
  const registrations = await createRegistrations(real.base);
  const { addresses, scopes } = simulatorRegistration(simulator.providerUrls, providerSlug(provider), client);
  await moveRegistration(real.service, registrations[provider], { addresses, scopes }, client.clientSecret);
  const names = accounts.length === 1 ? [...accounts, ...READ] : accounts;
  const linked: Connection[] = [];
  for (const name of names) linked.push(await link(provider, registrations, name));
  return linked;
}

async function link(provider: SocialProvider, registrations: Record<SocialProvider, string>, account: string) {
  const { service, application } = real;
  const adapter = providerAdapter(provider);
  const where = { id: registrations[provider] };
  const registration = await service.prisma.providerRegistration.findUniqueOrThrow({ where });
  const access = registrationAccess(service, registration, await service.clock.now());
  const codeVerifier = adapter.traits.pkce ? VERIFIER : null;
  const codeChallenge = codeVerifier && createHash("sha256").update(codeVerifier).digest("base64url");
  const request = {
    redirectUri: REDIRECT,
    state: "state-1",
    capabilities: CAPABILITIES,
    codeChallenge,
    isAccountChoice: false,
  };
  const callbackUrl = await giveConsent(await adapter.authorizationUrl(access, request), { account });
  const tokens = await adapter.exchangeCode(access, { ...request, callbackUrl, codeVerifier });
  const { accessToken, providerAccountId } = tokens;
  const session = { registration: access, accessToken, providerAccountId, capabilities: CAPABILITIES };
  const { providerAccountId: accountId, providerUserKey } = await adapter.readAccount(session);
  const subject = { externalSubjectId: `${where.id}-${account}`, accountId, providerUserKey };
  const connection = await createConnection(service, application, registrations, { provider, tokens, ...subject });
  await startInitialReads(service, connection);
  return connection;
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
