import type { DisconnectCode, ReconnectCode } from "@social-connect/contract";
import { attemptEvent, causeOfStatus, connectionEvent, identityEvent, type NewEvent } from "@social-connect/domain";
import type { EventEndpoint } from "../../state/events.ts";
import type { ConnectAttempt, Connection, IdentityAttempt } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { clearReceipt } from "./endDeliveries.ts";

/** The simulated time between a change and its first delivery. */
const QUEUE_MS = 10;

/** Changes an attempt, and records the event of its new status. */
export function patchAttempt<Attempt extends ConnectAttempt | IdentityAttempt>(
  world: World,
  attempt: Attempt,
  patch: object | null,
): Attempt {
  const { status } = attempt;
  const changed: ConnectAttempt | IdentityAttempt = Object.assign(attempt, patch);
  if (changed.status === status) return attempt;
  recordEvent(world, "provider" in changed ? attemptEvent(changed) : identityEvent(changed));
  return attempt;
}

/** Changes a connection, and records the event of its new status. `code`: why it needs a reconnect, or who ended it. */
export function patchConnection(
  world: World,
  connection: Connection,
  patch: Partial<Connection> | null,
  code: ReconnectCode | DisconnectCode | null = null,
): void {
  const { status } = connection;
  Object.assign(connection, causeOfStatus(status, patch?.status ?? status, code, world.now()), patch);
  recordEvent(world, connectionEvent(status, connection, code));
}

/** Stores an event with a delivery for each endpoint that takes it. Without endpoints, nothing is stored. Returns its id. */
export function recordEvent(world: World, event: NewEvent | null, to?: EventEndpoint): string | null {
  const endpoints = event === null ? [] : endpointsOf(world, event.applicationId);
  if (event === null || endpoints.length === 0) return null;
  const id = world.newId();
  world.state.events.set(id, { id, occurredAt: world.now(), ...event });
  const receivers = to === undefined ? endpoints.filter((one) => takes(one, event)) : [to];
  for (const { id: endpointId } of receivers) addDelivery(world, id, endpointId);
  clearReceipt(world, id);
  return id;
}

export function endpointsOf({ state }: World, applicationId: string): EventEndpoint[] {
  return [...state.eventEndpoints.values()].filter((one) => one.applicationId === applicationId);
}

export function takes({ enabled, types }: EventEndpoint, { type }: Pick<NewEvent, "type">): boolean {
  return enabled && (types.length === 0 || types.includes(type));
}

export function addDelivery(world: World, eventId: string, endpointId: string): void {
  const id = world.newId();
  const nextTryAt = new Date(world.nowMs() + QUEUE_MS);
  world.state.eventDeliveries.set(id, {
    ...{ id, eventId, endpointId, status: "WAITING", tries: 0, nextTryAt },
    ...{ isSending: false, responseStatus: null, problem: null },
  });
  world.schedule(nextTryAt.getTime(), "delivery", id);
}
