import { connectionEvent, testEvent } from "@social-connect/domain";
import { expect, test } from "vitest";
import type { Event, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { application, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { allPages, outcomeOf } from "../testing/outcomes.ts";
import { createEventEndpoint } from "../testing/rows.ts";
import { type EventFilter, listEvents, listFailingEndpoints } from "./readEvents.ts";
import { recordEvents } from "./recordEvents.ts";

useApplicationPerTest();

async function happened(externalSubjectId: string | null): Promise<Event> {
  service.clock.advance(1_000);
  const about = { ...application.scope, applicationId: application.id, id: newId(), provider: "PROVIDER_A" } as const;
  const event =
    externalSubjectId === null
      ? testEvent(application.id)
      : connectionEvent("CONNECTED", { ...about, externalSubjectId, status: "SUSPENDED" }, null);
  await service.prisma.$transaction((transaction) =>
    recordEvents(service, transaction, service.clock.current, [event]),
  );
  const where = { applicationId: application.id };
  return service.prisma.event.findFirstOrThrow({ where, orderBy: { occurredAt: "desc" } });
}

const idsOf = async (filter: Omit<EventFilter, "clientId"> = {}) =>
  (await allPages((after) => listEvents(service, { clientId: application.id, ...filter }, { first: 1, after }))).map(
    ({ id }) => id,
  );
const deliveriesOf = (eventId: string, data: Prisma.EventDeliveryUpdateManyMutationInput) =>
  service.prisma.eventDelivery.updateMany({ where: { eventId }, data });

test("events are listed newest first, page by page, of one client, type or user, or failed ones only", async () => {
  await createEventEndpoint(service, application);
  const first = await happened("user-1");
  const second = await happened("user-2");
  const third = await happened(null);
  expect(await idsOf()).toEqual([third.id, second.id, first.id]);
  expect(await idsOf({ type: "test" })).toEqual([third.id]);
  expect(await idsOf({ externalSubjectId: "user-1" })).toEqual([first.id]);
  expect(await idsOf({ externalSubjectId: "user" })).toEqual([]);
  expect(await idsOf({ failed: true })).toEqual([]);
  await deliveriesOf(first.id, { problem: "TIMEOUT", tries: 1 });
  await deliveriesOf(second.id, { status: "SUCCEEDED", tries: 2 });
  expect(await idsOf({ failed: true })).toEqual([first.id]);
  expect(await outcomeOf(listEvents(service, { clientId: newId() }, {}))).toBe("NOT_FOUND");
});

test("a cursor belongs to its filter", async () => {
  await createEventEndpoint(service, application);
  await happened("user-1");
  await happened("user-1");
  const { pageInfo } = await listEvents(service, { clientId: application.id }, { first: 1 });
  const other = { clientId: application.id, failed: true };
  expect(await outcomeOf(listEvents(service, other, { after: pageInfo.endCursor }))).toBe("BAD_USER_INPUT");
});

test("endpoints fail while they are on, or when the service turned them off", async () => {
  const failingSince = service.clock.current;
  const endpoint = (data: Partial<Prisma.EventEndpointUncheckedCreateInput>) =>
    createEventEndpoint(service, application, data);
  const off = { enabled: false, turnedOffAt: failingSince };
  const failing = await endpoint({ failingSince });
  const gone = await endpoint({ ...off, turnedOffReason: "GONE" });
  await endpoint({ ...off, failingSince, turnedOffReason: "BY_ADMIN" });
  await endpoint({});
  expect((await listFailingEndpoints(service)).map(({ id }) => id)).toEqual([failing.id, gone.id]);
});
