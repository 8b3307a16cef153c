import { connectionEvent, jobEvent, type NewEvent } from "@social-connect/domain";
import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { SYSTEM } from "../admin/actor.ts";
import { createApplication } from "../testing/builders.ts";
import { application, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { outcomeOf } from "../testing/outcomes.ts";
import { createEventEndpoint } from "../testing/rows.ts";
import { changeEventEndpoint, sendTestEvent } from "./endpoints.ts";
import { MOST_QUEUED, recordEvents } from "./recordEvents.ts";
import { BATCHES_PER_CALL, planResend, resendEvent, resendEvents } from "./resendEvents.ts";

useApplicationPerTest();

const suspended = () => {
  const about = { ...application.scope, applicationId: application.id, id: newId(), provider: "PROVIDER_A" } as const;
  return connectionEvent("CONNECTED", { ...about, status: "SUSPENDED" }, null);
};
const tell = async (...events: readonly (NewEvent | null)[]) => {
  service.clock.advance(1_000);
  await service.prisma.$transaction((transaction) => recordEvents(service, transaction, service.clock.current, events));
};
const owned = () => ({ where: { applicationId: application.id } });
const deliveries = () => service.prisma.eventDelivery.findMany({ ...owned(), orderBy: { createdAt: "asc" } });
const events = () => service.prisma.event.findMany({ ...owned(), orderBy: { occurredAt: "asc" } });
const summaries = async () =>
  (await service.prisma.auditEntry.findMany({ where: { targetId: application.id } })).map(({ summary }) => summary);
const since = () => new Date(service.clock.current.getTime() - 3_600_000);
/** Sends what was planned. */
const resendAll = async (failedOnly = false) => {
  const wanted = { since: since(), failedOnly };
  const planned = await planResend(service, application.id, wanted);
  const sent = await resendEvents(service, SYSTEM, application.id, wanted);
  expect(planned).toEqual({ events: sent.events, deliveries: sent.deliveries });
  return sent;
};
const end = (status: "SUCCEEDED" | "FAILED") =>
  service.prisma.eventDelivery.updateMany({
    ...owned(),
    data: {
      status,
      tries: 3,
      nextTryAt: null,
      finishedAt: service.clock.current,
      problem: status === "FAILED" ? "TIMEOUT" : null,
    },
  });

test("an event is sent again with its id, whether it was delivered, given up or waits for its next try", async () => {
  await createEventEndpoint(service, application);
  await tell(suspended());
  const [event] = await events();
  const [before] = await deliveries();
  for (const status of ["SUCCEEDED", "FAILED"] as const) {
    await end(status);
    expect(await resendEvent(service, SYSTEM, application.id, event?.id ?? "")).toMatchObject({ deliveries: 1 });
    const due = { status: "WAITING", tries: 0, nextTryAt: service.clock.current, finishedAt: null, problem: null };
    expect(await deliveries()).toMatchObject([{ id: before?.id, ...due }]);
  }
  const retried = { tries: 2, problem: "TIMEOUT", nextTryAt: new Date(service.clock.current.getTime() + 3_600_000) };
  await service.prisma.eventDelivery.updateMany({ ...owned(), data: retried });
  await resendEvent(service, SYSTEM, application.id, event?.id ?? "");
  expect(await deliveries()).toMatchObject([{ tries: 2, problem: "TIMEOUT", nextTryAt: service.clock.current }]);
  expect(await events()).toEqual([event]);
  expect(await summaries()).toEqual(Array(3).fill(`Sent the event ${event?.id} (connection.suspended) again.`));
});

test("an event is not sent to an endpoint that is off, takes other types, or was added after it", async () => {
  const endpoint = await createEventEndpoint(service, application);
  await tell(suspended());
  const [event] = await events();
  await changeEventEndpoint(service, SYSTEM, endpoint.id, { enabled: false });
  service.clock.advance(1);
  await createEventEndpoint(service, application);
  const before = await deliveries();
  expect(await outcomeOf(resendEvent(service, SYSTEM, application.id, event?.id ?? ""))).toBe("CONFLICT");
  expect(await resendAll()).toEqual({ events: 0, deliveries: 0, endCursor: null });
  expect(await deliveries()).toEqual(before);
  expect(await outcomeOf(resendEvent(service, SYSTEM, application.id, newId()))).toBe("NOT_FOUND");
  await changeEventEndpoint(service, SYSTEM, endpoint.id, { enabled: true, types: ["job.failed"] });
  expect(await outcomeOf(resendEvent(service, SYSTEM, application.id, event?.id ?? ""))).toBe("CONFLICT");
  expect(await resendAll()).toMatchObject({ deliveries: 0 });
});

test("a plan counts an event once and each of its deliveries, of this client and since the time alone", async () => {
  const [all, some] = [undefined, { types: ["connection.suspended"] }];
  await tell(suspended());
  for (const types of [all, some, some]) await createEventEndpoint(service, application, types);
  await tell(suspended(), suspended());
  await createEventEndpoint(service, await createApplication(service, `other-${newId()}`));
  expect(await resendAll()).toMatchObject({ events: 2, deliveries: 6 });
  const [, first] = await events();
  const delivered = { where: { eventId: first?.id ?? "" }, data: { status: "SUCCEEDED" } } as const;
  await service.prisma.eventDelivery.updateMany(delivered);
  expect(await resendAll(true)).toMatchObject({ events: 1, deliveries: 3 });
  const plan = (from: Date) => planResend(service, application.id, { since: from, failedOnly: false });
  expect(await plan(new Date(service.clock.current.getTime() + 1))).toEqual({});
  service.clock.advance(1);
  expect(await plan(service.clock.current)).toEqual({ events: 0, deliveries: 0 });
  expect(await plan(new Date(service.clock.current.getTime() - 31 * 86_400_000))).toEqual({});
});

test("events since a time are sent again, and those that happened while the endpoint was off for the first time", async () => {
  const endpoint = await createEventEndpoint(service, application);
  await tell(suspended());
  await end("SUCCEEDED");
  await changeEventEndpoint(service, SYSTEM, endpoint.id, { enabled: false });
  await tell(suspended());
  await changeEventEndpoint(service, SYSTEM, endpoint.id, { enabled: true });
  expect(await deliveries()).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(await resendAll(true)).toEqual({ events: 1, deliveries: 1, endCursor: null });
  expect(await deliveries()).toMatchObject([{ status: "SUCCEEDED" }, { status: "WAITING" }]);
  expect(await resendAll()).toEqual({ events: 2, deliveries: 2, endCursor: null });
  expect(await deliveries()).toMatchObject([{ status: "WAITING" }, { status: "WAITING" }]);
  const late = { since: service.clock.current, failedOnly: false };
  expect(await resendEvents(service, SYSTEM, application.id, late)).toMatchObject({ events: 1 });
  expect(await summaries()).toContain(`Sent the undelivered events since ${since().toISOString()} again.`);
});

test("a receipt whose user was forgotten is not sent again; one that waits is", async () => {
  await createEventEndpoint(service, application);
  const job = {
    applicationId: application.id,
    provider: "PROVIDER_A",
    connectionId: newId(),
    background: false,
    requested: false,
  } as const;
  const receipt = () =>
    jobEvent({ ...job, id: newId(), kind: "REVOKE", status: "SUCCEEDED", errorCode: null }, application.scope);
  await tell(receipt());
  expect(await resendAll()).toMatchObject({ deliveries: 1 });
  await end("SUCCEEDED");
  await service.prisma.event.updateMany({ ...owned(), data: { tenantKey: null, externalSubjectId: null } });
  expect(await resendAll()).toMatchObject({ events: 0, deliveries: 0 });
});

test("a call sends a bounded number of events, and the next continues without another audit entry", async () => {
  await createEventEndpoint(service, application);
  service.clock.advance(1_000);
  const { clock, prisma } = service;
  const row = { applicationId: application.id, type: "job.failed", tenantKey: "tenant-1", occurredAt: clock.current };
  await prisma.event.createMany({ data: Array.from({ length: 10_001 }, () => ({ ...row, id: newId() })) });
  const wanted = { since: since(), failedOnly: true };
  const resendAfter = (after: string | null, which = wanted) =>
    resendEvents(service, SYSTEM, application.id, which, { after, batches: BATCHES_PER_CALL });
  const before = service.enqueued.length;
  const first = await resendAfter(null);
  expect(first).toMatchObject({ events: 10_000, deliveries: 10_000, endCursor: expect.any(String) });
  const rest = await resendAfter(first.endCursor);
  expect(rest).toEqual({ events: 1, deliveries: 1, endCursor: null });
  expect(await summaries()).toHaveLength(1);
  expect(service.enqueued.length - before).toBe(MOST_QUEUED);
  const other = { ...wanted, failedOnly: false };
  expect(await outcomeOf(resendAfter(first.endCursor, other))).toBe("BAD_USER_INPUT");
});

test("a test event goes to one endpoint that is on, whatever types it takes", async () => {
  const endpoint = await createEventEndpoint(service, application, { types: ["job.failed"] });
  await createEventEndpoint(service, application);
  const event = await sendTestEvent(service, SYSTEM, endpoint.id);
  expect(event).toMatchObject({ type: "test", tenantKey: null, externalSubjectId: null });
  expect(await deliveries()).toMatchObject([{ eventId: event.id, endpointId: endpoint.id, status: "WAITING" }]);
  await changeEventEndpoint(service, SYSTEM, endpoint.id, { enabled: false });
  expect(await outcomeOf(sendTestEvent(service, SYSTEM, endpoint.id))).toBe("CONFLICT");
  expect(await outcomeOf(sendTestEvent(service, SYSTEM, newId()))).toBe("NOT_FOUND");
  expect(await events()).toHaveLength(1);
});
