import { type EndpointOffReason, isReceiptEvent } from "@social-connect/domain";
import type { EventEndpoint, StoredEvent } from "../../state/events.ts";
import { deleteWhere } from "../../util/deleteWhere.ts";
import type { World } from "../../world/world.ts";

/** Turns an endpoint off, and ends what it has not received. */
export function turnOff(world: World, endpoint: EventEndpoint, reason: EndpointOffReason): void {
  Object.assign(endpoint, { enabled: false, turnedOffReason: reason });
  for (const delivery of world.state.eventDeliveries.values()) {
    if (delivery.endpointId !== endpoint.id || delivery.status !== "WAITING") continue;
    Object.assign(delivery, { status: "FAILED", nextTryAt: null, problem: "ENDPOINT_OFF", isSending: false });
    clearReceipt(world, delivery.eventId);
  }
}

export function removeEndpoint(world: World, id: string): void {
  world.state.eventEndpoints.delete(id);
  deleteWhere(world.state.eventDeliveries, ({ endpointId }) => endpointId === id);
  for (const eventId of world.state.events.keys()) clearReceipt(world, eventId);
}

/** Deletes events with their deliveries. */
export function deleteEvents({ state }: World, isDeleted: (event: StoredEvent) => boolean): void {
  deleteWhere(state.events, isDeleted);
  deleteWhere(state.eventDeliveries, ({ eventId }) => !state.events.has(eventId));
}

/** A receipt holds ids only once all its deliveries have ended. */
export function clearReceipt({ state }: World, eventId: string): void {
  const event = state.events.get(eventId);
  if (event === undefined || !isReceiptEvent(event)) return;
  const deliveries = [...state.eventDeliveries.values()];
  const isWaiting = deliveries.some((delivery) => delivery.eventId === eventId && delivery.status === "WAITING");
  if (!isWaiting) state.events.set(eventId, { ...event, tenantKey: null, externalSubjectId: null });
}
