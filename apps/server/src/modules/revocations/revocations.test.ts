import { beforeEach, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { createApplication } from "../testing/builders.ts";
import * as calls from "../testing/calls.ts";
import { createConnection } from "../testing/connections.ts";
import { application, registrations, service, testNumber, useApplicationPerTest } from "../testing/fixtures.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runErase, runRecheck, runRevoke } from "../testing/tasks.ts";
import { DELETE_ENDED_REVOCATIONS } from "./providerRevocations.ts";

useApplicationPerTest();

beforeEach(() => {
  service.fakes.PROVIDER_A.account = { ...service.fakes.PROVIDER_A.account, providerAccountId: "shared" };
});

const connect = (externalSubjectId: string, owner = application, accountId = "shared") =>
  createConnection(service, owner, registrations, { accountId, externalSubjectId });
const disconnect = (connection: Connection) => calls.disconnect(service, application, connection);
const stored = (id: string) => service.prisma.connection.findFirstOrThrow({ where: { id } });

async function recheckOf(connectionId: string): Promise<string> {
  return (await service.prisma.job.findFirstOrThrow({ where: { connectionId, kind: "RECHECK", finishedAt: null } })).id;
}

test("restores a connection affected by two revokes only after both have settled", async () => {
  const [first, second, third] = [await connect("a"), await connect("b"), await connect("c")];
  const one = await disconnect(first);
  const two = await disconnect(second);
  expect(await stored(third.id)).toMatchObject({ status: "SUSPENDED", suspendedByJobId: one.revokeJobId });

  await runRevoke(service, one.revokeJobId);
  await runRecheck(service, await recheckOf(third.id));
  expect(await stored(third.id)).toMatchObject({ status: "SUSPENDED", suspendedByJobId: two.revokeJobId });

  await runRevoke(service, two.revokeJobId);
  await runRecheck(service, await recheckOf(third.id));
  expect(await stored(third.id)).toMatchObject({ status: "CONNECTED", suspendedByJobId: null });
});

test("repeats a re-check whose response is older than the end of another revoke", async () => {
  const [first, second, third] = [await connect("a"), await connect("b"), await connect("c")];
  const one = await disconnect(first);
  const two = await disconnect(second);
  await runRevoke(service, one.revokeJobId);
  const recheck = await recheckOf(third.id);
  service.fakes.PROVIDER_A.before.set("readAccount", async () => {
    service.fakes.PROVIDER_A.before.clear();
    await runRevoke(service, two.revokeJobId);
  });
  await runRecheck(service, recheck);
  expect((await stored(third.id)).status).toBe("SUSPENDED");
  service.clock.advance(60_000);
  service.fakes.PROVIDER_A.failNext("readAccount", "grant_gone");
  await runRecheck(service, recheck);
  expect((await stored(third.id)).status).toBe("RECONNECT_REQUIRED");
});

test("serves the same account of another application, and re-checks it after the revoke has settled", async () => {
  const elsewhere = await createApplication(service, `elsewhere-${testNumber}`);
  const [mine, theirs] = [await connect("a"), await connect("a", elsewhere)];
  const { revokeJobId } = await disconnect(mine);
  expect((await stored(theirs.id)).status).toBe("CONNECTED");
  await runRevoke(service, revokeJobId);
  service.fakes.PROVIDER_A.failNext("readAccount", "grant_gone");
  await runRecheck(service, await recheckOf(theirs.id));
  expect((await stored(theirs.id)).status).toBe("RECONNECT_REQUIRED");
});

test("re-checks the subject's other accounts when a re-check finds a revoked grant", async () => {
  const [mine, theirs] = [await connect("a"), await connect("b")];
  const other = await connect("b", application, "other");
  await runRevoke(service, (await disconnect(mine)).revokeJobId);
  expect((await stored(other.id)).status).toBe("CONNECTED");
  service.fakes.PROVIDER_A.failNext("readAccount", "grant_gone", "grant_gone");
  await runRecheck(service, await recheckOf(theirs.id));
  await runRecheck(service, await recheckOf(other.id));
  for (const { id } of [theirs, other]) expect((await stored(id)).status).toBe("RECONNECT_REQUIRED");
});

test("stores revocations without account data, and deletes them when no earlier exchange is possible", async () => {
  const connection = await connect("a");
  const { revokeJobId, eraseJobId } = await disconnect(connection);
  const rows = () => service.prisma.providerRevocation.findMany({ where: { applicationId: application.id } });
  expect((await rows()).every(({ endedAt }) => endedAt === null)).toBe(true);
  await runToEnd(service, [DELETE_ENDED_REVOCATIONS]);
  expect(await rows()).toHaveLength(2);
  await runRevoke(service, revokeJobId);
  await runErase(service, eraseJobId);
  service.clock.advance(10 * 60_000 - 1);
  await runToEnd(service, [DELETE_ENDED_REVOCATIONS]);
  expect(await rows()).toHaveLength(2);
  const named = await service.pool.query("SELECT 1 FROM provider_revocation AS t WHERE t::text LIKE '%shared%'");
  expect(named.rows).toEqual([]);
  service.clock.advance(1);
  await runToEnd(service, [DELETE_ENDED_REVOCATIONS]);
  expect(await rows()).toEqual([]);
});
