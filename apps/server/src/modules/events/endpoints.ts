import {
  accepted,
  changesOf,
  decideAddEndpoint,
  decideChangeEndpoint,
  ENDPOINT_NOT_FOUND,
  ENDPOINT_OFF,
  type EndpointFacts,
  type EndpointInput,
  endpointAudit,
  endpointChanges,
  notFound,
  previousSecretEnd,
  SECRET_ROTATED,
  type Touched,
  testEvent,
  touchedChanges,
} from "@social-connect/domain";
import type { Application, Event, EventEndpoint } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secrets/secret.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { lockClient, readClient } from "../applications/client.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { newEventSecret, sealEventSecret } from "./eventSecret.ts";
import { createDeliveries, endDeliveries } from "./recordEvents.ts";

/** An endpoint with its new secret, which only this response contains. */
export interface EndpointWithSecret {
  readonly endpoint: EventEndpoint;
  readonly secret: Secret;
}

/** The endpoints of a client, oldest first. */
export async function listEventEndpoints(service: Service, clientId: string): Promise<EventEndpoint[]> {
  const { id } = await readClient(service, clientId, { select: { id: true } });
  return findEndpoints(service.prisma, id);
}

/** Adds an endpoint. */
export async function addEventEndpoint(
  service: Service,
  actor: AdminActor,
  clientId: string,
  input: NewEndpointInput,
): Promise<EndpointWithSecret> {
  const secret = newEventSecret();
  const endpoint = await changeEndpoints(service, actor, clientId, (change) => addIn(change, input, secret));
  return { endpoint, secret };
}

/** Changes the URL or the types of an endpoint, or turns it on or off. */
export function changeEventEndpoint(
  service: Service,
  actor: AdminActor,
  endpointId: string,
  input: EndpointInput,
): Promise<EventEndpoint> {
  return changeOne(service, actor, endpointId, (change, endpoint) => changeIn(change, endpoint, input));
}

/** Replaces the secret. The previous one signs for another day too. */
export async function rotateEventEndpointSecret(
  service: Service,
  actor: AdminActor,
  endpointId: string,
): Promise<EndpointWithSecret> {
  const secret = newEventSecret();
  const endpoint = await changeOne(service, actor, endpointId, (change, old) => rotateIn(change, old, secret));
  return { endpoint, secret };
}

/** Removes an endpoint with its deliveries. Events stay, and can be sent to another. */
export function removeEventEndpoint(service: Service, actor: AdminActor, endpointId: string): Promise<EventEndpoint> {
  return changeOne(service, actor, endpointId, removeIn);
}

/** Sends a test event to one endpoint, whatever types it takes. The worker delivers it like any other. Returns the stored event. */
export function sendTestEvent(service: Service, actor: AdminActor, endpointId: string): Promise<Event> {
  return changeOne(service, actor, endpointId, async ({ transaction, client, now }, endpoint) => {
    accepted(endpoint.enabled ? null : ENDPOINT_OFF);
    const { id, applicationId } = endpoint;
    const data = { id: newId(), occurredAt: now, ...testEvent(applicationId) };
    const sent = changesOf(null, { event: data.id, type: data.type });
    await recordAudit(transaction, actor, now, endpointAudit(client, endpoint, "Test event sent", sent));
    const event = await transaction.event.create({ data });
    await createDeliveries(service, transaction, now, [{ applicationId, eventId: event.id, endpointId: id }]);
    return event;
  });
}

type NewEndpointInput = Pick<EventEndpoint, "url"> & { readonly types: readonly string[] };

/** A change of a client's endpoints, in a transaction that holds the client's lock. */
interface Change {
  readonly service: Service;
  readonly transaction: Transaction;
  readonly actor: AdminActor;
  readonly now: Date;
  readonly client: Application;
}

/** Runs a change with the client locked: the limit of endpoints is exact under parallel calls. */
export async function changeEndpoints<Result>(
  service: Service,
  actor: AdminActor,
  clientId: string,
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  return adminTransaction(service, async (transaction, now) => {
    const client = accepted((await lockClient(transaction, clientId)) ?? notFound("The client"));
    return work({ service, transaction, actor, now, client });
  });
}

async function changeOne<Result>(
  service: Service,
  actor: AdminActor,
  endpointId: string,
  work: (change: Change, endpoint: EventEndpoint) => Promise<Result>,
): Promise<Result> {
  const id = asUuid(endpointId);
  const found = id === null ? null : await service.prisma.eventEndpoint.findFirst({ where: { id } });
  const owned = accepted(found ?? ENDPOINT_NOT_FOUND);
  return changeEndpoints(service, actor, owned.applicationId, async (change) => {
    const endpoint = await change.transaction.eventEndpoint.findUnique({ where: keyOf(owned) });
    return work(change, accepted(endpoint ?? ENDPOINT_NOT_FOUND));
  });
}

export async function addIn(change: Change, input: NewEndpointInput, secret: Secret): Promise<EventEndpoint> {
  const { service, transaction, actor, now } = change;
  const id = newId();
  const { patch, audit } = accepted(decideAddEndpoint(await readFacts(change), { id, ...input }, now));
  await recordAudit(transaction, actor, now, audit);
  const secretSealed = sealEventSecret(service.secretBox, id, secret);
  return transaction.eventEndpoint.create({ data: { ...patch, secretSealed } });
}

export async function changeIn(change: Change, endpoint: EventEndpoint, input: EndpointInput): Promise<EventEndpoint> {
  const { transaction, actor, now } = change;
  const decided = accepted(decideChangeEndpoint(await readFacts(change), endpoint, input, now));
  if (decided === null) return endpoint;
  const isOff = decided.patch.enabled === false;
  const ended = isOff ? touchedChanges({ deliveries: await endDeliveries(transaction, endpoint, now) }) : [];
  await recordAudit(transaction, actor, now, { ...decided.audit, changes: [...decided.audit.changes, ...ended] });
  return transaction.eventEndpoint.update({ where: keyOf(endpoint), data: decided.patch });
}

export async function rotateIn(
  { service, transaction, actor, client, now }: Change,
  endpoint: EventEndpoint,
  secret: Secret,
): Promise<EventEndpoint> {
  await recordAudit(transaction, actor, now, endpointAudit(client, endpoint, "Event secret rotated", SECRET_ROTATED));
  const secretSealed = sealEventSecret(service.secretBox, endpoint.id, secret);
  const previous = { previousSecretSealed: endpoint.secretSealed, previousSecretUntil: previousSecretEnd(now) };
  return transaction.eventEndpoint.update({
    where: keyOf(endpoint),
    data: { secretSealed, ...previous, updatedAt: now },
  });
}

export async function removeIn(
  { transaction, actor, client, now }: Change,
  endpoint: EventEndpoint,
): Promise<EventEndpoint> {
  const touched = touchedChanges(await measureEndpoint(transaction, endpoint));
  const removed = [...endpointChanges(endpoint, null), ...touched];
  await recordAudit(transaction, actor, now, endpointAudit(client, endpoint, "Event endpoint removed", removed));
  return transaction.eventEndpoint.delete({ where: keyOf(endpoint) });
}

/** What removing the endpoint with this id touches. */
export async function measureEndpointOf({ prisma }: Service, id: string): Promise<Touched> {
  const endpoint = await prisma.eventEndpoint.findFirst({ where: { id } });
  return endpoint === null ? {} : measureEndpoint(prisma, endpoint);
}

/** The deliveries that are deleted with an endpoint. */
export async function measureEndpoint(
  client: Service["prisma"] | Transaction,
  { id: endpointId, applicationId }: RowKey,
): Promise<Touched> {
  return { deliveries: await client.eventDelivery.count({ where: { applicationId, endpointId } }) };
}

async function readFacts({ service, transaction, client }: Change): Promise<EndpointFacts> {
  return { client, endpoints: await findEndpoints(transaction, client.id), mode: service.mode };
}

export function findEndpoints(
  client: Service["prisma"] | Transaction,
  applicationId: string,
): Promise<EventEndpoint[]> {
  return client.eventEndpoint.findMany({ where: { applicationId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
}
