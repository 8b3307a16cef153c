import {
  type BackgroundDates,
  type Change,
  decideBackgroundReads,
  decideInitialReads,
  isInFlight,
  type JobKind,
  type NewRead,
} from "@social-connect/domain";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { withOffered } from "../connections/access.ts";
import { registrationOf } from "../registrations/findRegistration.ts";
import { createRead, jobsOf } from "./createJob.ts";
import { scheduleNextReads } from "./jobAttempt.ts";

/**
 * Enqueues the first reads of a new or reconnected connection, and schedules the next ones. In strict mode, only callers
 * start scans.
 */
export function enqueueInitialReads(world: World, connection: Connection): void {
  const { capabilities, id } = connection;
  const facts = { capabilities, inFlight: kindsInFlight(world, id), startsScans: !world.settings.strict };
  apply(
    world,
    connection,
    decideInitialReads(facts, () => world.jitter(), world.now()),
  );
}

export function enqueueBackgroundReads(world: World, connection: Connection): void {
  const now = world.now();
  const { id, nextScanAt, nextProfileAt, registrationId } = connection;
  if (![nextScanAt, nextProfileAt].some((due) => due !== null && due <= now)) return;
  const facts = {
    inFlight: kindsInFlight(world, id),
    startsScans: !world.settings.strict,
    latestScan: findLatestScan(world, id),
  };
  const { status: registrationStatus } = registrationOf(world, registrationId);
  const access = { ...withOffered(world, connection), registrationStatus };
  apply(
    world,
    connection,
    decideBackgroundReads(access, facts, () => world.jitter(), now),
  );
}

function apply(world: World, connection: Connection, change: Change<BackgroundDates, NewRead<Job>>): void {
  for (const read of change.followUps) createRead(world, connection, read);
  Object.assign(connection, change.patch);
  scheduleNextReads(world, connection);
}

function kindsInFlight(world: World, connectionId: string): JobKind[] {
  return jobsOf(world, connectionId).flatMap(({ kind, status }) => (isInFlight(status) ? kind : []));
}

function findLatestScan(world: World, connectionId: string) {
  const scan = jobsOf(world, connectionId).findLast((job) => job.kind === "SCAN");
  return scan === undefined ? null : { ...scan, hasCursor: scan.listingCursor !== null };
}
