import { attemptEvent, connectionEvent, jobEvent, type NewEvent } from "@social-connect/domain";
import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { application, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { createEventEndpoint } from "../testing/rows.ts";
import { statementsOf } from "../testing/statements.ts";
import { MOST_QUEUED, recordEvents } from "./recordEvents.ts";

useApplicationPerTest();

const about = () => ({ applicationId: application.id, provider: "PROVIDER_A", ...application.scope }) as const;
const suspended = (connectionId = newId()) =>
  connectionEvent("CONNECTED", { ...about(), id: connectionId, status: "SUSPENDED" }, null);
const receipt = () => {
  const job = {
    ...about(),
    id: newId(),
    connectionId: newId(),
    kind: "REVOKE",
    background: false,
    requested: false,
  } as const;
  return jobEvent({ ...job, status: "SUCCEEDED", errorCode: null }, application.scope);
};
const tell = (...events: readonly (NewEvent | null)[]) =>
  service.prisma.$transaction((transaction) => recordEvents(service, transaction, service.clock.current, events));
const stored = () => service.prisma.event.findMany({ where: { applicationId: application.id } });
const deliveries = () => service.prisma.eventDelivery.findMany({ where: { applicationId: application.id } });

test("stores an event with a delivery for each enabled endpoint that takes its type", async () => {
  const all = await createEventEndpoint(service, application);
  const some = await createEventEndpoint(service, application, { types: ["connection.suspended", "job.failed"] });
  await createEventEndpoint(service, application, { types: ["job.failed"] });
  await createEventEndpoint(service, application, { enabled: false });
  const connectionId = newId();
  await tell(suspended(connectionId));
  const events = await stored();
  expect(events).toMatchObject([
    { type: "connection.suspended", connectionId, ...application.scope, occurredAt: service.clock.current },
  ]);
  const sent = await deliveries();
  expect(sent.map(({ endpointId }) => endpointId).toSorted()).toEqual([all.id, some.id].toSorted());
  const eventId = events[0]?.id;
  for (const one of sent)
    expect(one).toMatchObject({ eventId, status: "WAITING", tries: 0, nextTryAt: service.clock.current });
  const tasks = service.enqueued.filter(({ payload }) => sent.some(({ id }) => id === payload.id));
  expect(tasks.map(({ task }) => task)).toEqual(["deliver", "deliver"]);
});

test("costs one query without an endpoint, and none without an event", async () => {
  const inTransaction = async (...events: readonly (NewEvent | null)[]) =>
    (await statementsOf(() => tell(...events))).filter(({ text }) => text.includes("event"));
  const canceled = attemptEvent({
    ...about(),
    id: newId(),
    status: "CANCELED",
    resultCode: null,
    connectionId: null,
    expiresAt: service.clock.current,
  });
  expect(await inTransaction(canceled, null)).toEqual([]);
  expect(await inTransaction(suspended(), suspended())).toHaveLength(1);
  expect(await stored()).toEqual([]);
});

test("stores an event while all endpoints are off, and sends nothing", async () => {
  await createEventEndpoint(service, application, { enabled: false });
  await tell(suspended());
  expect(await stored()).toHaveLength(1);
  expect(await deliveries()).toEqual([]);
});

test("a rolled back change leaves neither event nor delivery", async () => {
  await createEventEndpoint(service, application);
  const change = service.prisma.$transaction(async (transaction) => {
    await recordEvents(service, transaction, service.clock.current, [suspended()]);
    expect(await transaction.event.count({ where: { applicationId: application.id } })).toBe(1);
    throw new Error("rolled back");
  });
  await expect(change).rejects.toThrow("rolled back");
  expect([await stored(), await deliveries()]).toEqual([[], []]);
});

test("a receipt that no endpoint takes holds ids only", async () => {
  const { id } = await createEventEndpoint(service, application, { types: ["job.failed"] });
  await tell(receipt());
  expect(await stored()).toMatchObject([{ type: "receipt.revoke", tenantKey: null, externalSubjectId: null }]);
  await service.prisma.eventEndpoint.updateMany({ where: { id }, data: { types: [] } });
  await tell(receipt());
  expect((await stored()).filter(({ externalSubjectId }) => externalSubjectId !== null)).toHaveLength(1);
});

test("an endpoint has a bounded number of queued tasks", async () => {
  const { id: endpointId } = await createEventEndpoint(service, application);
  const before = service.enqueued.length;
  await tell(...Array.from({ length: MOST_QUEUED - 1 }, () => suspended()));
  await tell(suspended(), suspended());
  await tell(suspended());
  expect(service.enqueued.length - before).toBe(MOST_QUEUED);
  expect(await service.prisma.eventDelivery.count({ where: { endpointId } })).toBe(MOST_QUEUED + 2);
});

test("the removal of an endpoint waits for a transaction that stores a delivery to it", async () => {
  const { id, applicationId } = await createEventEndpoint(service, application);
  const { prisma, clock } = service;
  let removed: Promise<unknown> = Promise.resolve();
  await prisma.$transaction(async (transaction) => {
    await recordEvents(service, transaction, clock.current, [suspended()]);
    removed = prisma.eventEndpoint.delete({ where: { id_applicationId: { id, applicationId } } });
    // Sent on another connection before the commit.
    removed.catch(() => {});
    await transaction.event.count({ where: { applicationId } });
  });
  await removed;
  expect([(await stored()).length, await deliveries()]).toEqual([1, []]);
});
