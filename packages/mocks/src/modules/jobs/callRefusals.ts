import { addMs, REFUSALS_APART_MS, type RegistrationCalls } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { registrationOf } from "../registrations/findRegistration.ts";
import { scheduleNextReads } from "./jobAttempt.ts";

const MAX_PROBES = 3;

/** The registration's refusals, and its other connections. */
export function registrationCalls(world: World, connection: Connection): RegistrationCalls {
  const { refusals = {} } = registrationOf(world, connection.registrationId);
  return {
    refusals,
    others: othersOf(world, connection).map((other) => ({
      ...other,
      profileObservedAt: other.profile?.observedAt ?? null,
    })),
  };
}

/** Moves up the background reads of a few other connections that were not tried within an hour. */
export function readOthersSoon(world: World, connection: Connection): void {
  const now = world.now();
  const anHourAgo = addMs(now, -REFUSALS_APART_MS);
  const others = othersOf(world, connection).filter(
    ({ status, triedAt }) => status === "CONNECTED" && (triedAt === null || triedAt < anHourAgo),
  );
  for (const other of others.slice(0, MAX_PROBES)) {
    if (other.nextScanAt !== null && other.nextScanAt > now) other.nextScanAt = now;
    if (other.nextProfileAt !== null && other.nextProfileAt > now) other.nextProfileAt = now;
    scheduleNextReads(world, other);
  }
}

function othersOf(world: World, { id, registrationId }: Connection): Connection[] {
  return [...world.state.connections.values()].filter(
    (other) => other.registrationId === registrationId && other.id !== id,
  );
}
