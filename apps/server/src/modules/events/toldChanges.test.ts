import type { SocialProvider } from "@social-connect/contract";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { ProviderError } from "../../providers/contract.ts";
import { SYSTEM } from "../admin/actor.ts";
import { changeClient } from "../clients/changeClient.ts";
import { completeConnect } from "../connect/completeConnect.ts";
import { redeemLaunchToken } from "../connect/redeemLaunchToken.ts";
import { receiveDataDeletion } from "../data-deletion/receiveDataDeletion.ts";
import { receiveDeauthorization } from "../disconnect/receiveDeauthorization.ts";
import { RECONCILE_REVOKE_SETTLEMENTS } from "../disconnect/runRevoke.ts";
import { eraseConnections } from "../operations/eraseConnections.ts";
import { EXPIRE_ATTEMPTS } from "../retention/expireAttempts.ts";
import { ORIGIN, RETURN_URL } from "../testing/builders.ts";
import * as calls from "../testing/calls.ts";
import { postsOf } from "../testing/connections.ts";
import { application, connect, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { createEventEndpoint, createIdentityAttempt } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runErase, runRecheck, runRevoke, runScan } from "../testing/tasks.ts";
import { installLedger, readLedger } from "./testing/statusLedger.ts";

useApplicationPerTest();

const HOUR = 3_600_000;

beforeAll(() => installLedger(service.pool));
beforeEach(async () => {
  await createEventEndpoint(service, application);
  await readLedger(service.pool);
});
/** What the test told; each test checks its types, and this that nothing else changed or was told. */
let types: string[] = [];
afterEach(async () => {
  const { told, unmatched } = await readLedger(service.pool);
  expect(unmatched).toEqual([]);
  expect(told.toSorted()).toEqual(types.toSorted());
  await expectStoredCauses();
});

/** Each connection has the cause that its last event told, since its last change of status. */
async function expectStoredCauses(): Promise<void> {
  const where = { applicationId: application.id };
  for (const { id, status, cause, causeSince } of await service.prisma.connection.findMany({ where })) {
    const about = { ...where, connectionId: id, type: { startsWith: "connection." } };
    const last = await service.prisma.event.findFirst({ where: about, orderBy: { occurredAt: "desc" } });
    const expected = status === "CONNECTED" ? null : status === "SUSPENDED" ? "SETTLING" : last?.code;
    const since = expected === null ? null : last?.occurredAt;
    expect({ status, cause, causeSince }).toEqual({ status, cause: expected, causeSince: since });
  }
}

const disconnect = (connection: Connection) => calls.disconnect(service, application, connection);
const eventsOf = async (type: string) =>
  service.prisma.event.findMany({ where: { applicationId: application.id, type }, orderBy: { occurredAt: "asc" } });
const codesOf = async (type: string) => (await eventsOf(type)).map(({ code }) => code);
const recheckOf = ({ id: connectionId }: Connection) =>
  service.prisma.job.findFirstOrThrow({ where: { connectionId, kind: "RECHECK" } });

/** The browser's part of a connect; `back` are the parameters with which the provider returns it. */
async function link(
  back: Record<string, string> = { code: "code" },
  reconnectConnectionId: string | null = null,
  beforeReturn: () => unknown = () => undefined,
) {
  const provider = "PROVIDER_A";
  const { id, launchToken } = await calls.startConnect(service, application, { provider, reconnectConnectionId });
  const launch = await redeemLaunchToken(service, { launchToken: launchToken.reveal(), origin: ORIGIN });
  if (launch.outcome !== "redirect") throw new Error("The launch failed.");
  await beforeReturn();
  const { location, browserSecret } = launch;
  const query = new URLSearchParams({ state: location.searchParams.get("state") ?? "", ...back });
  const call = { provider, query, browserSecretOf: () => browserSecret.reveal() } as const;
  await completeConnect(service, call);
  // A repeated callback changes nothing.
  await completeConnect(service, call);
  return service.prisma.connectAttempt.findFirstOrThrow({ where: { id } });
}

const account = (providerAccountId: string) => {
  service.fakes.PROVIDER_A.account = { ...service.fakes.PROVIDER_A.account, providerAccountId };
};

describe("a connect attempt", () => {
  test("that completes, and one that reconnects", async () => {
    account("provider_a-account-1");
    const { id, connectionId } = await link();
    await service.prisma.connection.updateMany({
      where: { id: connectionId ?? "" },
      data: { status: "RECONNECT_REQUIRED" },
    });
    await readLedger(service.pool);
    const again = await link({ code: "code" }, connectionId);
    expect(again).toMatchObject({ status: "COMPLETED", connectionId });
    const told = { connectionId, provider: "PROVIDER_A", ...application.scope, status: "COMPLETED", code: null };
    const events = await eventsOf("connect.completed");
    expect(events).toMatchObject([told, told]);
    expect(events.map(({ attemptId }) => attemptId)).toEqual(expect.arrayContaining([id, again.id]));
    expect(await eventsOf("connection.restored")).toMatchObject([{ connectionId, status: "CONNECTED", code: null }]);
    types = ["connect.completed", "connection.restored"];
  });

  test("that is denied, refused, or not allowed", async () => {
    await link({ error: "access_denied" });
    account("no tester");
    await link();
    service.fakes.PROVIDER_A.failNext("exchangeCode", "rejected");
    const failed = await link();
    expect(await eventsOf("connect.denied")).toMatchObject([{ code: "USER_DENIED", connectionId: null }]);
    expect(await codesOf("connect.failed")).toEqual(expect.arrayContaining(["NOT_A_TESTER", "EXCHANGE_FAILED"]));
    expect(failed.status).toBe("FAILED");
    types = ["connect.denied", "connect.failed", "connect.failed"];
  });

  test("that expires, by the sweep or a late callback, at its deadline", async () => {
    const late = await link({ code: "code" }, null, () => service.clock.advance(HOUR));
    const { id } = await calls.startConnect(service, application);
    service.clock.advance(HOUR);
    await runToEnd(service, EXPIRE_ATTEMPTS);
    const { expiresAt } = await service.prisma.connectAttempt.findFirstOrThrow({ where: { id } });
    expect(await eventsOf("connect.expired")).toMatchObject([
      { attemptId: late.id, occurredAt: late.expiresAt, code: "DEADLINE_PASSED" },
      { attemptId: id, occurredAt: expiresAt, status: "EXPIRED" },
    ]);
    types = ["connect.expired", "connect.expired"];
  });

  test("that ends with a change of its client; a canceled one is not told", async () => {
    await changeClient(service, SYSTEM, application.id, "addClientReturnUrl", {
      url: `${ORIGIN}/other`,
      confirmedNoOnwardRedirect: true,
    });
    await calls.startConnect(service, application);
    await changeClient(service, SYSTEM, application.id, "removeClientReturnUrl", { url: RETURN_URL });
    await calls.startConnect(service, await currentApplication(), { returnUrl: `${ORIGIN}/other` });
    await createIdentityAttempt(service, application);
    await changeClient(service, SYSTEM, application.id, "setClientEnabled", { enabled: false });
    expect(await codesOf("connect.failed")).toEqual(["POLICY_CHANGED"]);
    types = ["connect.failed", "identity.failed"];
  });
});

async function currentApplication() {
  const row = await service.prisma.application.findUniqueOrThrow({ where: { id: application.id } });
  return {
    ...application,
    caller: { ...application.caller, application: { ...application.caller.application, ...row } },
  };
}

describe("a connection", () => {
  test("whose grant the provider ends, with the requested job", async () => {
    const connection = await connect();
    const { id } = await calls.refresh(service, application, connection);
    service.fakes.PROVIDER_A.failNext("listContent", "grant_gone");
    await runScan(service, id);
    expect(await eventsOf("job.failed")).toMatchObject([
      { jobId: id, connectionId: connection.id, code: "RECONNECT_REQUIRED" },
    ]);
    expect(await codesOf("connection.reconnect_required")).toEqual(["GRANT_ENDED"]);
    types = ["connection.reconnect_required", "job.failed"];
  });

  test("whose account stays unreadable", async () => {
    const connection = await connect();
    const { id } = await calls.refresh(service, application, connection);
    for (const hours of [0, 1.1]) {
      service.clock.advance(hours * HOUR);
      service.fakes.PROVIDER_A.failNext("listContent", "account_unreadable");
      await runScan(service, id);
    }
    expect(await codesOf("connection.reconnect_required")).toEqual(["ACCOUNT_UNREADABLE"]);
    types = ["connection.reconnect_required", "job.failed"];
  });

  test("whose calls are refused, and answered again", async () => {
    const sibling = await suspendedSibling();
    const { id } = await recheckOf(sibling);
    const other = await connect({ accountId: "other", externalSubjectId: "user-2" });
    const refusal = { status: 403, code: "a_new_one", message: "Not now." };
    for (const hours of [0, 2, 22.1]) {
      service.clock.advance(hours * HOUR);
      service.fakes.PROVIDER_A.failures.set("readAccount", [new ProviderError("rejected", "refused", { refusal })]);
      const data = { profileObservedAt: service.clock.current, triedAt: service.clock.current };
      await service.prisma.connection.updateMany({ where: { id: other.id }, data });
      await service.prisma.job.updateMany({ where: { id }, data: { nextRetryAt: null } });
      await runRecheck(service, id);
    }
    expect(await codesOf("connection.reconnect_required")).toEqual(["CALLS_REFUSED"]);
    account(sibling.providerAccountId);
    await runScan(service, (await calls.refresh(service, application, sibling)).id);
    types = [...SUSPENDED, "connection.reconnect_required", "connection.restored", "job.succeeded"];
  });

  test.each([
    [null, 1_000, "connection.restored", null],
    ["grant_gone", 1_000, "connection.reconnect_required", "GRANT_ENDED"],
    ["unavailable", 8 * 24 * HOUR, "connection.reconnect_required", "CHECK_FAILED"],
  ] as const)("that is suspended, and checked with the result %s", async (fault, waitMs, type, code) => {
    const sibling = await suspendedSibling();
    account(sibling.providerAccountId);
    service.clock.advance(waitMs);
    if (fault !== null) service.fakes.PROVIDER_A.failNext("readAccount", fault);
    await runRecheck(service, (await recheckOf(sibling)).id);
    expect(await eventsOf("connection.suspended")).toMatchObject([{ connectionId: sibling.id, code: null }]);
    expect(await eventsOf(type)).toMatchObject([{ connectionId: sibling.id, code }]);
    types = [...SUSPENDED, type];
  });

  test("that is removed at the provider", async () => {
    const { id } = await connect({ provider: "PROVIDER_C", accountId: "removed" });
    const verify = () => ({ providerUserId: "removed", issuedAt: service.clock.current });
    Object.assign(service.fakes.PROVIDER_C, { verifyDeauthorization: verify });
    await receiveDeauthorization(service, "PROVIDER_C", "signed");
    await receiveDeauthorization(service, "PROVIDER_C", "signed");
    expect(await eventsOf("connection.reconnect_required")).toMatchObject([
      { connectionId: id, code: "AUTHORIZATION_REMOVED" },
    ]);
    types = ["connection.reconnect_required"];
  });
});

const SUSPENDED = ["connection.disconnected", "connection.suspended", "receipt.revoke"];

/** A connection that waits for its check, because a disconnect revoked the grant of another one. */
async function suspendedSibling(): Promise<Connection> {
  const leaving = await connect({ accountId: newId() });
  const sibling = await connect({ accountId: newId() });
  await runRevoke(service, (await disconnect(leaving)).revokeJobId);
  return sibling;
}

describe("a disconnect", () => {
  test("by the application, with both receipts; a repetition tells nothing", async () => {
    service.fakes.PROVIDER_A.posts = postsOf(3, service.clock.current);
    const connection = await connect();
    const { revokeJobId, eraseJobId } = await disconnect(connection);
    await disconnect(connection);
    expect(await eventsOf("connection.disconnected")).toMatchObject([
      { connectionId: connection.id, code: "BY_APPLICATION", status: "DISCONNECTED" },
    ]);
    await runRevoke(service, revokeJobId);
    await runErase(service, eraseJobId);
    const receipt = { connectionId: connection.id, ...application.scope, status: "SUCCEEDED", code: null };
    // The others were erased with the connection.
    const left = await service.prisma.event.findMany({
      where: { applicationId: application.id },
      orderBy: { type: "asc" },
    });
    expect(left).toMatchObject([
      { ...receipt, type: "receipt.erase", jobId: eraseJobId },
      { ...receipt, type: "receipt.revoke", jobId: revokeJobId },
    ]);
    types = ["connection.disconnected", "receipt.revoke", "receipt.erase"];
  });

  test.each<[SocialProvider, string | null]>([
    ["PROVIDER_A", "REVOKE_REJECTED"],
    ["PROVIDER_C", "REVOKE_UNSUPPORTED"],
  ])("whose revoke fails at %s", async (provider, code) => {
    const connection = await connect({ provider });
    service.fakes[provider].failNext("revoke", "rejected");
    const { revokeJobId } = await disconnect(connection);
    await runRevoke(service, revokeJobId);
    expect(await codesOf("receipt.revoke")).toEqual([code]);
    types = ["connection.disconnected", "receipt.revoke"];
  });

  test("whose revoke takes longer than a day", async () => {
    const { eraseJobId } = await disconnect(await connect());
    service.clock.advance(25 * HOUR);
    await runErase(service, eraseJobId);
    expect(await codesOf("receipt.revoke")).toEqual(["REVOKE_REJECTED"]);
    types = ["connection.disconnected", "receipt.revoke", "receipt.erase"];
  });

  test("by an operator, and by the provider's request to delete the user's data", async () => {
    const scope = {
      application: { id: application.id, slug: "shop" },
      tenantKey: "tenant-1",
      externalSubjectId: "user-1",
    };
    await connect();
    await eraseConnections(service, scope, { wait: async () => false });
    await connect({ provider: "PROVIDER_C", accountId: "deleting" });
    const verify = () => ({ providerUserId: "deleting", issuedAt: service.clock.current });
    Object.assign(service.fakes.PROVIDER_C, { verifyDataDeletion: verify });
    await receiveDataDeletion(service, "PROVIDER_C", "signed");
    expect((await codesOf("connection.disconnected")).toSorted()).toEqual(["AT_PROVIDER", "BY_OPERATOR"]);
    types = ["connection.disconnected", "connection.disconnected", "receipt.revoke"];
  });

  test("that fails leaves neither the change nor an event", async () => {
    const connection = await connect();
    await service.pool.query("ALTER TABLE event_delivery ADD CONSTRAINT fail CHECK (false) NOT VALID");
    await expect(disconnect(connection)).rejects.toThrow();
    await service.pool.query("ALTER TABLE event_delivery DROP CONSTRAINT fail");
    expect(await service.prisma.connection.findFirstOrThrow({ where: { id: connection.id } })).toMatchObject({
      status: "CONNECTED",
    });
    types = [];
  });
});

describe("a read", () => {
  test("that the application requested succeeds", async () => {
    service.fakes.PROVIDER_A.posts = postsOf(3, service.clock.current);
    const connection = await connect();
    const { id } = await calls.refresh(service, application, connection);
    await runScan(service, id);
    expect(await eventsOf("job.succeeded")).toMatchObject([{ jobId: id, connectionId: connection.id, code: null }]);
    types = ["job.succeeded"];
  });

  test("of the service's own is told only if the application asked for it too", async () => {
    const silent = await connect({ accountId: "silent" });
    const asked = await connect({ accountId: "asked" });
    for (const connection of [silent, asked]) await calls.startInitialReads(service, connection);
    const scanOf = ({ id: connectionId }: Connection) =>
      service.prisma.job.findFirstOrThrow({ where: { connectionId, kind: "SCAN" } });
    const { id } = await scanOf(asked);
    service.fakes.PROVIDER_A.before.set("listContent", async () => {
      // While the scan runs, twice.
      for (const _ of [1, 2]) expect((await calls.refresh(service, application, asked)).id).toBe(id);
    });
    await runScan(service, id);
    service.fakes.PROVIDER_A.before.clear();
    await runScan(service, (await scanOf(silent)).id);
    expect(await eventsOf("job.succeeded")).toMatchObject([{ jobId: id }]);
    types = ["job.succeeded"];
  });
});

test("a sweep of settled revokes tells nothing", async () => {
  await runToEnd(service, [RECONCILE_REVOKE_SETTLEMENTS]);
  types = [];
});
