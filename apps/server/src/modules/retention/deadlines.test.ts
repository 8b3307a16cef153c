import { beforeEach, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { authenticate } from "../applications/checkKey.ts";
import { listAuditEntries } from "../audit/listAuditEntries.ts";
import { readConnectResult } from "../connect/readConnectResult.ts";
import { readConnection } from "../connections/readConnection.ts";
import { readContent, readContentItem } from "../content/readContent.ts";
import { readDeletion } from "../data-deletion/readDeletion.ts";
import { redeemIdentityResult } from "../identity/redeemIdentityResult.ts";
import { readSyncJob } from "../jobs/readSyncJob.ts";
import { requestRefresh } from "../jobs/requestRefresh.ts";
import { createApplication, type TestApplication } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import * as environment from "../testing/fixtures.ts";
import { registrations, service, testNumber, useApplicationPerTest } from "../testing/fixtures.ts";
import { createConnectAttempt, createIdentityAttempt, createJob, createPost } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { EXPIRE_ATTEMPTS } from "./expireAttempts.ts";
import { PURGE_SWEEPS } from "./purge.ts";

useApplicationPerTest();

/**
 * Every deadline of part 8 of the service description, one second before and one second after. The first test of each
 * runs without a sweep, so reads must enforce the deadline.
 */
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

let application: TestApplication;
let connection: Connection;

beforeEach(async () => {
  application = environment.application;
  connection = await environment.connect();
});

const now = () => service.clock.current;
const after = (ms: number) => service.clock.fromNow(ms);
const scoped = () => ({ scope: application.scope, connectionId: connection.id });
/** The error code of a rejected call, or its result. */
const answerOf = (call: Promise<unknown>) => call.catch((error: { code?: unknown }) => error.code);

interface Deadline {
  readonly name: string;
  readonly afterMs: number;
  /** Creates the data with the deadline, and returns a function that reads it. */
  readonly make: () => Promise<() => Promise<unknown>>;
  readonly before: unknown;
  readonly past: unknown;
  /** Rows that may remain after the sweep. */
  readonly stored: () => Promise<number>;
}

const DEADLINES: readonly Deadline[] = [
  {
    name: "a connect attempt's authorization: 10 minutes",
    afterMs: 10 * MINUTE,
    make: async () => {
      const { id } = await createConnectAttempt(service, application, registrations, { status: "AUTHORIZING" });
      return async () => (await readConnectResult(service, application.caller, application.scope, id)).status;
    },
    before: "AUTHORIZING",
    past: "EXPIRED",
    stored: () =>
      service.prisma.connectAttempt.count({ where: { applicationId: application.id, status: "AUTHORIZING" } }),
  },
  {
    name: "a connect attempt's result: 24 hours",
    afterMs: DAY,
    make: async () => {
      const { id } = await createConnectAttempt(service, application, registrations, { status: "FAILED" });
      return () => answerOf(readConnectResult(service, application.caller, application.scope, id));
    },
    before: expect.objectContaining({ status: "FAILED" }),
    past: "NOT_FOUND",
    stored: () => service.prisma.connectAttempt.count({ where: { applicationId: application.id } }),
  },
  {
    name: "an identity attempt's authorization: 10 minutes",
    afterMs: 10 * MINUTE,
    make: identityAttempt,
    before: expect.objectContaining({ status: "PENDING" }),
    past: expect.objectContaining({ status: "EXPIRED" }),
    stored: async () => 0,
  },
  {
    name: "an identity attempt's result: 20 minutes",
    afterMs: 20 * MINUTE,
    make: identityAttempt,
    before: expect.objectContaining({ status: "EXPIRED" }),
    past: "NOT_FOUND",
    stored: () => service.prisma.identityAttempt.count({ where: { applicationId: application.id } }),
  },
  {
    name: "a post: 30 days from its observation",
    afterMs: 30 * DAY,
    make: async () => {
      await post();
      return async () => {
        const item = await readContentItem(service, application.caller, application.scope, connection.id, "post-1");
        return [item?.title, item?.reason];
      };
    },
    before: ["Title", null],
    past: [null, "EXPIRED"],
    stored: () => service.prisma.contentItem.count({ where: { connectionId: connection.id, title: { not: null } } }),
  },
  {
    name: "a post on a page: 30 days from its observation",
    afterMs: 30 * DAY,
    make: async () => {
      await post();
      const window = { publishedAfter: after(-DAY), publishedBefore: after(DAY), first: 50, after: null };
      return async () =>
        (await readContent(service, application.caller, application.scope, connection.id, window)).items.length;
    },
    before: 1,
    past: 0,
    stored: () => service.prisma.contentItem.count({ where: { connectionId: connection.id, title: { not: null } } }),
  },
  {
    name: "a profile: 30 days from its observation",
    afterMs: 30 * DAY,
    make: async () => {
      await service.prisma.connection.updateMany({
        where: { id: connection.id },
        data: { displayName: "Name", profileObservedAt: now() },
      });
      return async () =>
        (await readConnection(service, application.caller, application.scope, connection.id)).profile?.displayName;
    },
    before: "Name",
    past: undefined,
    stored: () => service.prisma.connection.count({ where: { id: connection.id, displayName: { not: null } } }),
  },
  {
    name: "a continuation cursor: 24 hours from the scan's end",
    afterMs: DAY,
    make: async () => {
      const window = { windowAfter: after(-DAY), windowBefore: now(), maxItems: 100 };
      const cut = { ...window, completeForWindow: false, providerCursor: "next" };
      const { id } = await createJob(service, connection, cut);
      const { continuationCursor } = await readSyncJob(service, application.caller, { ...scoped(), id });
      expect(continuationCursor).toEqual(expect.any(String));
      return async () => {
        const shown = (await readSyncJob(service, application.caller, { ...scoped(), id })).continuationCursor;
        const taken = await answerOf(requestRefresh(service, application.caller, { ...scoped(), continuationCursor }));
        return [shown === null, taken];
      };
    },
    before: [false, expect.objectContaining({ status: "QUEUED" })],
    past: [true, "BAD_USER_INPUT"],
    stored: async () => 0,
  },
  ...(["SCAN", "REVOKE", "ERASE"] as const).map((kind) => ({
    name: `a ${kind === "SCAN" ? "finished job" : `receipt (${kind})`}: 7 days`,
    afterMs: 7 * DAY,
    make: async () => {
      const { id } = await createJob(service, connection, { kind });
      return () => answerOf(readSyncJob(service, application.caller, { ...scoped(), id }));
    },
    before: expect.objectContaining({ status: "SUCCEEDED" }),
    past: "NOT_FOUND",
    stored: () => service.prisma.job.count({ where: { connectionId: connection.id, kind } }),
  })),
  {
    name: "an audit entry: 30 days",
    afterMs: 30 * DAY,
    make: async () => {
      const clientSlug = `shop-${testNumber}`;
      const entry = { id: newId(), at: now(), actor: "System", action: "Client created", targetType: "CLIENT" };
      await service.prisma.auditEntry.create({ data: { ...entry, targetId: newId(), clientSlug, summary: "Made." } });
      return async () => (await listAuditEntries(service, { clientSlug }, { first: 10, after: null })).items.length;
    },
    before: 1,
    past: 0,
    stored: () => service.prisma.auditEntry.count({ where: { clientSlug: `shop-${testNumber}` } }),
  },
  {
    name: "the status of a data deletion request: 90 days",
    afterMs: 90 * DAY,
    make: async () => {
      const code = newSecretHex();
      const row = { id: newId(), codeHash: sha256(code), provider: "PROVIDER_C" } as const;
      await service.prisma.dataDeletion.create({
        data: { ...row, unfinished: [], requestedAt: now(), finishedAt: now() },
      });
      return async () => (await readDeletion(service, code))?.state ?? null;
    },
    before: "NOTHING_HELD",
    past: null,
    stored: () => service.prisma.dataDeletion.count({ where: { requestedAt: { lt: after(-90 * DAY) } } }),
  },
  {
    name: "an application key with an expiry",
    afterMs: HOUR,
    make: async () => {
      const [id, secret] = [newId(), newSecretHex()];
      const times = { createdAt: now(), expiresAt: after(HOUR) };
      await service.prisma.applicationKey.create({
        data: { id, applicationId: application.id, secretHash: sha256(secret), ...times },
      });
      return () => answerOf(authenticate(service, [`Bearer ${id}.${secret}`]));
    },
    before: expect.objectContaining({ keyId: expect.any(String) }),
    past: "UNAUTHENTICATED",
    stored: async () => 0,
  },
];

test.each(DEADLINES)("$name: reads enforce it without a sweep", async (deadline) => {
  const early = await deadline.make();
  service.clock.advance(deadline.afterMs - SECOND);
  expect(await early()).toEqual(deadline.before);
  service.clock.advance(2 * SECOND);
  // Redeeming a result or continuing a scan consumes it, so read a second one.
  const late = await makeEarlier(deadline);
  expect(await late()).toEqual(deadline.past);
});

test.each(DEADLINES)("$name: the sweep deletes older data", async (deadline) => {
  await deadline.make();
  service.clock.advance(deadline.afterMs + SECOND);
  await runToEnd(service, EXPIRE_ATTEMPTS);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await deadline.stored()).toBe(0);
});

/** Creates the data at its deadline plus one second ago. */
async function makeEarlier({ make, afterMs }: Deadline): Promise<() => Promise<unknown>> {
  const current = now();
  service.clock.set(new Date(current.getTime() - afterMs - SECOND).toISOString());
  application = await createApplication(service, `late-${testNumber}`);
  connection = await createConnection(service, application, registrations);
  const read = await make();
  service.clock.set(current.toISOString());
  return read;
}

async function identityAttempt(): Promise<() => Promise<unknown>> {
  const resultProof = newSecretHex();
  const { tenantKey } = application;
  const { id } = await createIdentityAttempt(service, application, { resultProofHash: sha256(resultProof) });
  return () => answerOf(redeemIdentityResult(service, application.caller, { id, tenantKey, resultProof }));
}

function post() {
  return createPost(service, connection, { providerContentId: "post-1", title: "Title" });
}
