import {
  accepted,
  decideAddEndpoint,
  decideChangeEndpoint,
  decideRemoveEndpoint,
  decideRotateSecret,
  type EndpointFacts,
  type EndpointInput,
} from "@social-connect/domain";
import type { EventEndpoint } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secrets/secret.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { lockClient, readClient } from "../applications/client.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { keyOf } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { endDeliveries } from "./endDeliveries.ts";
import { newEventSecret, sealEventSecret } from "./eventSecret.ts";

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

/** Adds an endpoint. The limit is exact under parallel calls. */
export async function addEventEndpoint(
  service: Service,
  actor: AdminActor,
  clientId: string,
  input: NewEndpointInput,
): Promise<EndpointWithSecret> {
  const now = await service.clock.now();
  const secret = newEventSecret();
  const endpoint = await adminTransaction(service, async (transaction) => {
    const facts = await readFacts(service, transaction, clientId);
    return addIn({ service, transaction, actor, now }, facts, input, secret);
  });
  return { endpoint, secret };
}

/** Changes the URL or the types of an endpoint, or turns it on or off. */
export async function changeEventEndpoint(
  service: Service,
  actor: AdminActor,
  endpointId: string,
  input: EndpointInput,
): Promise<EventEndpoint> {
  const now = await service.clock.now();
  return changeOwned(service, endpointId, (transaction, facts, id) =>
    changeIn({ service, transaction, actor, now }, facts, id, input),
  );
}

/** Replaces the secret. The previous one signs for another day too. */
export async function rotateEventEndpointSecret(
  service: Service,
  actor: AdminActor,
  endpointId: string,
): Promise<EndpointWithSecret> {
  const now = await service.clock.now();
  const secret = newEventSecret();
  const endpoint = await changeOwned(service, endpointId, (transaction, facts, id) =>
    rotateIn({ service, transaction, actor, now }, facts, id, secret),
  );
  return { endpoint, secret };
}

/** Removes an endpoint with its deliveries. */
export async function removeEventEndpoint(
  service: Service,
  actor: AdminActor,
  endpointId: string,
): Promise<EventEndpoint> {
  const now = await service.clock.now();
  return changeOwned(service, endpointId, (transaction, facts, id) =>
    removeIn({ service, transaction, actor, now }, facts, id),
  );
}

interface NewEndpointInput {
  readonly url: string;
  readonly types: readonly string[];
}

/** Where a change is made, by whom and when. */
interface Change {
  readonly service: Service;
  readonly transaction: Transaction;
  readonly actor: AdminActor;
  readonly now: Date;
}

/** The changes within a transaction that holds the client's lock. */
export async function addIn(
  { service, transaction, actor, now }: Change,
  facts: EndpointFacts,
  input: NewEndpointInput,
  secret: Secret,
): Promise<EventEndpoint> {
  const id = newId();
  const { patch, audit } = accepted(decideAddEndpoint(facts, { id, ...input }, now));
  await recordAudit(transaction, actor, now, audit);
  const secretSealed = sealEventSecret(service.secretBox, id, secret);
  return transaction.eventEndpoint.create({ data: { ...patch, secretSealed } });
}

export async function changeIn(
  { transaction, actor, now }: Change,
  facts: EndpointFacts,
  id: string,
  input: EndpointInput,
): Promise<EventEndpoint> {
  const change = accepted(decideChangeEndpoint(facts, id, input, now));
  const key = { id, applicationId: facts.client?.id ?? "" };
  if (change === null) return transaction.eventEndpoint.findUniqueOrThrow({ where: keyOf(key) });
  await recordAudit(transaction, actor, now, change.audit);
  const changed = await transaction.eventEndpoint.update({ where: keyOf(key), data: change.patch });
  if (change.followUps.length > 0) await endDeliveries(transaction, key, now);
  return changed;
}

export async function rotateIn(
  { service, transaction, actor, now }: Change,
  facts: EndpointFacts,
  id: string,
  secret: Secret,
): Promise<EventEndpoint> {
  const { patch, audit } = accepted(decideRotateSecret(facts, id, now));
  await recordAudit(transaction, actor, now, audit);
  const where = keyOf({ id, applicationId: facts.client?.id ?? "" });
  const { secretSealed: previousSecretSealed } = await transaction.eventEndpoint.findUniqueOrThrow({ where });
  const secretSealed = sealEventSecret(service.secretBox, id, secret);
  return transaction.eventEndpoint.update({ where, data: { ...patch, secretSealed, previousSecretSealed } });
}

export async function removeIn(
  { transaction, actor, now }: Change,
  facts: EndpointFacts,
  id: string,
): Promise<EventEndpoint> {
  const { audit } = accepted(decideRemoveEndpoint(facts, id));
  await recordAudit(transaction, actor, now, audit);
  return transaction.eventEndpoint.delete({ where: keyOf({ id, applicationId: facts.client?.id ?? "" }) });
}

/** Runs a change with the client of an endpoint locked; an unknown endpoint has no client. */
function changeOwned<Result>(
  service: Service,
  endpointId: string,
  change: (transaction: Transaction, facts: EndpointFacts, id: string) => Promise<Result>,
): Promise<Result> {
  const id = asUuid(endpointId);
  return adminTransaction(service, async (transaction) => {
    const found = id === null ? null : await transaction.eventEndpoint.findFirst({ where: { id } });
    return change(transaction, await readFacts(service, transaction, found?.applicationId ?? ""), id ?? "");
  });
}

/** The client of an id, locked, with its endpoints. */
export async function readFacts(service: Service, transaction: Transaction, clientId: string): Promise<EndpointFacts> {
  const client = await lockClient(transaction, clientId);
  const endpoints = client === null ? [] : await findEndpoints(transaction, client.id);
  return { client, endpoints, mode: service.mode };
}

function findEndpoints(client: Service["prisma"] | Transaction, applicationId: string): Promise<EventEndpoint[]> {
  return client.eventEndpoint.findMany({ where: { applicationId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
}
