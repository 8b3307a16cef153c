import { connectionEvent } from "@social-connect/domain";
import { expect, test } from "vitest";
import { SYSTEM } from "../admin/actor.ts";
import { application, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { outcomeOf, untilNotBusy } from "../testing/outcomes.ts";
import {
  addEventEndpoint,
  changeEventEndpoint,
  listEventEndpoints,
  removeEventEndpoint,
  rotateEventEndpointSecret,
} from "./endpoints.ts";
import { openEventSecrets } from "./eventSecret.ts";
import { recordEvents } from "./recordEvents.ts";

useApplicationPerTest();

const DAY_MS = 86_400_000;
const add = (url = "https://receiver.example/events", types: string[] = []) =>
  addEventEndpoint(service, SYSTEM, application.id, { url, types });
const secretsOf = async (id: string) => {
  const endpoint = await service.prisma.eventEndpoint.findFirstOrThrow({ where: { id } });
  return openEventSecrets(service.secretBox, endpoint, service.clock.current).map((secret) => secret.reveal());
};
const summaries = async () => {
  const where = { targetId: application.id };
  return (await service.prisma.auditEntry.findMany({ where, orderBy: { id: "asc" } })).map(({ summary }) => summary);
};

test("an added endpoint is listed, its secret is sealed, and the audit entry names only its origin", async () => {
  const { endpoint, secret } = await add("https://receiver.example/events/token", ["connect.completed"]);
  expect(secret.reveal()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(endpoint).toMatchObject({ enabled: true, types: ["connect.completed"], turnedOffReason: null });
  expect(endpoint.secretSealed).not.toContain(secret.reveal());
  expect(await secretsOf(endpoint.id)).toEqual([secret.reveal()]);
  expect(await listEventEndpoints(service, application.id)).toEqual([endpoint]);
  expect(await summaries()).toEqual([`Added the event endpoint ${endpoint.id} at https://receiver.example.`]);
});

test("a client has two endpoints at most, also under parallel calls", async () => {
  const calls = Array.from({ length: 8 }, (_, index) =>
    outcomeOf(untilNotBusy(() => add(`https://receiver.example/${index}`))),
  );
  expect((await Promise.all(calls)).toSorted()).toEqual([...Array(6).fill("CONFLICT"), "done", "done"]);
  expect(await listEventEndpoints(service, application.id)).toHaveLength(2);
});

test.each([
  ["ftp://receiver.example", []],
  ["http://receiver.example/events", []],
  ["https://user:secret@receiver.example/", []],
  ["https://receiver.example/?key=secret", []],
  ["https://10.0.0.1/events", []],
  ["https://169.254.169.254/events", []],
  ["https://[::ffff:127.0.0.1]/events", []],
  ["https://receiver.example/events", ["connect.unknown"]],
  ["https://receiver.example/events", ["test"]],
])("refuses the endpoint %s with the types %j", async (url, types) => {
  expect(await outcomeOf(add(url, types))).toBe("BAD_USER_INPUT");
  expect(await listEventEndpoints(service, application.id)).toEqual([]);
});

test("http on loopback is for the sandbox", async () => {
  expect(service.mode).toBe("sandbox");
  expect(await outcomeOf(add("http://127.0.0.1:4000/events"))).toBe("done");
  const live = { ...service, mode: "live" } as const;
  const input = { url: "http://127.0.0.1:4001/events", types: [] };
  expect(await outcomeOf(addEventEndpoint(live, SYSTEM, application.id, input))).toBe("BAD_USER_INPUT");
});

test("an endpoint is changed, and a repetition changes nothing", async () => {
  const { endpoint } = await add();
  const change = { url: "https://other.example/events", types: ["job.failed"] };
  const changed = await changeEventEndpoint(service, SYSTEM, endpoint.id, change);
  expect(changed).toMatchObject(change);
  expect(await changeEventEndpoint(service, SYSTEM, endpoint.id, change)).toEqual(changed);
  expect(await summaries()).toHaveLength(2);
  expect(await outcomeOf(changeEventEndpoint(service, SYSTEM, application.id, change))).toBe("NOT_FOUND");
  expect(await outcomeOf(changeEventEndpoint(service, SYSTEM, "no id", change))).toBe("NOT_FOUND");
});

test("turning an endpoint off ends its waiting deliveries, and turning it on sends nothing from before", async () => {
  const { endpoint } = await add();
  const { clock, prisma } = service;
  const event = connectionEvent(
    "CONNECTED",
    {
      ...application.scope,
      id: application.id,
      applicationId: application.id,
      provider: "PROVIDER_A",
      status: "SUSPENDED",
    },
    null,
  );
  const tell = () => prisma.$transaction((transaction) => recordEvents(service, transaction, clock.current, [event]));
  await tell();
  const off = await changeEventEndpoint(service, SYSTEM, endpoint.id, { enabled: false });
  expect(off).toMatchObject({ enabled: false, turnedOffReason: "BY_ADMIN", turnedOffAt: clock.current });
  await tell();
  const on = await changeEventEndpoint(service, SYSTEM, endpoint.id, { enabled: true });
  expect(on).toMatchObject({ enabled: true, turnedOffReason: null, turnedOffAt: null, failingSince: null });
  const deliveries = await prisma.eventDelivery.findMany({ where: { endpointId: endpoint.id } });
  expect(deliveries).toMatchObject([{ status: "FAILED", problem: "ENDPOINT_OFF", nextTryAt: null }]);
  expect(await prisma.event.count({ where: { applicationId: application.id } })).toBe(2);
});

test("after a rotation both secrets sign for a day", async () => {
  const { endpoint, secret: first } = await add();
  const { secret: second } = await rotateEventEndpointSecret(service, SYSTEM, endpoint.id);
  expect(await secretsOf(endpoint.id)).toEqual([second.reveal(), first.reveal()]);
  service.clock.advance(DAY_MS - 1);
  expect(await secretsOf(endpoint.id)).toHaveLength(2);
  service.clock.advance(1);
  expect(await secretsOf(endpoint.id)).toEqual([second.reveal()]);
  service.clock.advance(-DAY_MS);
  const { secret: third } = await rotateEventEndpointSecret(service, SYSTEM, endpoint.id);
  expect(await secretsOf(endpoint.id)).toEqual([third.reveal(), second.reveal()]);
  const { rows } = await service.pool.query("SELECT e::text FROM audit_entry e");
  expect(JSON.stringify(rows)).not.toContain("whsec_");
});

test("a removed endpoint leaves the events", async () => {
  const { endpoint } = await add();
  const { endpoint: other } = await add("https://other.example/events");
  await removeEventEndpoint(service, SYSTEM, endpoint.id);
  expect(await listEventEndpoints(service, application.id)).toEqual([other]);
  expect(await outcomeOf(removeEventEndpoint(service, SYSTEM, endpoint.id))).toBe("NOT_FOUND");
  expect((await summaries()).at(-1)).toBe(`Removed the event endpoint ${endpoint.id} at https://receiver.example.`);
});
