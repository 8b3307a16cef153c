import { ROLLUP_SERIES } from "@social-connect/domain";
import { testClock } from "@social-connect/testkit";
import {
  type ConnectionOptions,
  createApplication,
  createConnection,
  createEventEndpoint,
  createRegistrations,
  newId,
  runErase,
  type TestApplication,
  type TestService,
} from "./server.ts";
import type { TestPanel } from "./testPanel.ts";

export interface Planted {
  readonly service: TestService;
  readonly application: TestApplication;
  readonly registrations: Awaited<ReturnType<typeof createRegistrations>>;
  readonly connection: Awaited<ReturnType<typeof createConnection>>;
}

/** User 42 of the client acme, with a linked account. */
export async function plant(panel: TestPanel, options: ConnectionOptions = {}): Promise<Planted> {
  const service: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(service);
  const tenantKeys = ["tenant-1"];
  const created = await createApplication(service, "acme", { tenantKeys });
  const application = { ...created, scope: { ...created.scope, externalSubjectId: "42" } };
  const connection = await createConnection(service, application, registrations, options);
  return { service, application, registrations, connection };
}

/** Seven calls of a client with a version of the SDK, in this hour. */
export async function plantCalls({ prisma, clock }: TestService, ownerId: string, version: string): Promise<void> {
  const startsAt = new Date(Math.floor((await clock.now()).getTime() / 3_600_000) * 3_600_000);
  const labels = { seconds: 3_600, provider: "", outcome: "", kind: "sdk", code: version };
  const data = { series: ROLLUP_SERIES.clientVersions, ...labels, ownerId, startsAt, count: 7 };
  await prisma.rollup.create({ data });
}

/**
 * Two endpoints of a client, and two events of user 42: the newer was delivered to both, and the older is retried at the first,
 * which answers HTTP 500.
 */
export async function plantEvents({ service, application }: Pick<Planted, "service" | "application">) {
  const { prisma, clock } = service;
  const now = await clock.now();
  const at = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
  const failing = await createEventEndpoint(service, application, {
    url: "https://receiver.example/social/events",
    ...{ createdAt: at(-90), lastTriedAt: at(-5), lastSucceededAt: at(-60), failingSince: at(-30) },
  });
  const good = await createEventEndpoint(service, application, {
    url: "https://analytics.example/events",
    ...{ types: ["job.failed"], createdAt: at(-80), lastTriedAt: at(-5), lastSucceededAt: at(-5) },
  });
  const { id: applicationId } = application;
  const about = { applicationId, provider: "PROVIDER_A", tenantKey: "tenant-1", externalSubjectId: "42" } as const;
  const failed = { id: newId(), ...about, type: "job.failed", status: "FAILED", code: "CONTENT_NOT_FOUND" };
  const completed = { id: newId(), ...about, type: "connect.completed", status: "COMPLETED" };
  await prisma.event.createMany({
    data: [
      { ...failed, occurredAt: at(-30) },
      { ...completed, occurredAt: at(-5) },
    ],
  });
  const times = { lastTriedAt: at(-5), createdAt: at(-30) };
  const delivered = { status: "SUCCEEDED", tries: 1, responseStatus: 204, ...times } as const;
  const retried = { status: "WAITING", tries: 3, responseStatus: 500, problem: "STATUS", nextTryAt: at(25) } as const;
  await prisma.eventDelivery.createMany({
    data: [
      { ...delivered, ...retried, id: newId(), applicationId, eventId: failed.id, endpointId: failing.id },
      { ...delivered, id: newId(), applicationId, eventId: failed.id, endpointId: good.id },
      { ...delivered, id: newId(), applicationId, eventId: completed.id, endpointId: failing.id },
    ],
  });
  return { failing, good, failedEventId: failed.id };
}

const MINUTE_MS = 60_000;
const CALLS = {
  series: "provider_calls",
  seconds: 60,
  provider: "PROVIDER_B",
  kind: "api",
  code: "",
};

/**
 * Stores ten calls under each registration of PROVIDER_B in each of the minutes that begin `from` to `until` minutes before now, of
 * which four fail unless another number is given.
 */
export async function createOutage(
  { prisma, clock }: Pick<TestService, "prisma"> & { readonly clock: Pick<TestService["clock"], "now"> },
  from: number,
  until: number,
  failed = 4,
): Promise<void> {
  const registrations = await prisma.providerRegistration.findMany({ where: { provider: "PROVIDER_B" } });
  const thisMinute = Math.floor((await clock.now()).getTime() / MINUTE_MS) * MINUTE_MS;
  const data = Array.from({ length: until - from }, (_, minute) => {
    const startsAt = new Date(thisMinute - (from + minute) * MINUTE_MS);
    return registrations.flatMap(({ id: ownerId }) => [
      { ...CALLS, ownerId, startsAt, outcome: "ok", count: 10 - failed },
      { ...CALLS, ownerId, startsAt, outcome: "http_5xx", count: failed },
    ]);
  });
  await prisma.rollup.createMany({ data: data.flat() });
}

/** Ends the revoke and runs the erase job of a disconnected connection. The panel's tests have no provider and no worker. */
export async function finishErasure(service: TestService, connectionId: string): Promise<void> {
  const { prisma, clock } = service;
  const { revokeJobId, eraseJobId } = await prisma.connection.findFirstOrThrow({ where: { id: connectionId } });
  const revoked = { status: "SUCCEEDED", finishedAt: clock.current } as const;
  await prisma.job.updateMany({ where: { id: revokeJobId ?? "" }, data: revoked });
  await prisma.revokeSettlement.deleteMany();
  await runErase(service, eraseJobId ?? "");
}
