import type { Capability } from "@social-connect/contract";
import {
  followingRead,
  isContinuable,
  isInFlight,
  nextBackgroundRead,
  servedCapabilities,
} from "@social-connect/domain";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { withOffered } from "../connections/access.ts";
import type { NewJob } from "./createJob.ts";
import { createJob, defaultScan } from "./createJob.ts";

/**
 * Enqueues the first reads of a new or reconnected connection: the profile and the default window, if granted. In strict
 * mode, only callers start scans. A read that is already in flight continues with the new credential.
 */
export function enqueueInitialReads(world: World, connection: Connection): void {
  const now = world.now();
  const listed = connection.capabilities.includes("CONTENT_LIST") && !world.settings.strict;
  const profiled = connection.capabilities.includes("PROFILE");
  if (profiled && !isReading(world, connection, "PROFILE")) {
    createJob(world, connection, { kind: "PROFILE", background: true });
  }
  if (listed && !isReading(world, connection, "SCAN")) {
    createJob(world, connection, { kind: "SCAN", background: true, target: defaultScan(now) });
  }
  connection.nextScanAt = listed ? nextBackgroundRead(now, world.jitter()) : null;
  connection.nextProfileAt = profiled ? nextBackgroundRead(now, world.jitter()) : null;
  scheduleReads(world, connection);
}

/** Schedules the next background reads. A task with an outdated time has no effect. */
export function scheduleReads(world: World, { id, nextScanAt, nextProfileAt }: Connection): void {
  for (const at of [nextScanAt, nextProfileAt]) if (at !== null) world.schedule(at.getTime(), "reads", id);
}

/** Enqueues the due scan and profile read, if the registration serves them. */
export function enqueueDueReads(world: World, connection: Connection): void {
  const now = world.now();
  const { nextScanAt, nextProfileAt } = connection;
  const served = servedCapabilities(withOffered(world, connection));
  const isDue = (due: Date | null) => due !== null && due <= now;
  if (!isDue(nextScanAt) && !isDue(nextProfileAt)) return;
  const isRead = (due: Date | null, capability: Capability) =>
    isDue(due) && connection.status === "CONNECTED" && served.includes(capability);
  const startsScans = !world.settings.strict && isRead(nextScanAt, "CONTENT_LIST");
  if (startsScans && !isReading(world, connection, "SCAN")) {
    createJob(world, connection, dueScan(world, connection, now));
  }
  if (isRead(nextProfileAt, "PROFILE") && !isReading(world, connection, "PROFILE")) {
    createJob(world, connection, { kind: "PROFILE", background: true });
  }
  connection.nextScanAt = followingRead(nextScanAt, now, world.jitter());
  connection.nextProfileAt = followingRead(nextProfileAt, now, world.jitter());
  scheduleReads(world, connection);
}

/** Continues a background scan that a rate limit interrupted, or scans the default window. */
function dueScan(world: World, connection: Connection, now: Date): NewJob {
  const scan = { kind: "SCAN", background: true } as const;
  let latest: Job | null = null;
  for (const job of world.state.jobs.values()) {
    if (job.connectionId === connection.id && job.kind === "SCAN") latest = job;
  }
  const wasInterrupted =
    latest?.background === true &&
    latest.incompleteReason === "UPSTREAM_RATE_LIMITED" &&
    latest.listingCursor !== null &&
    isContinuable(latest, now);
  if (!wasInterrupted || latest?.window == null) return { ...scan, target: defaultScan(now) };
  return { ...scan, target: { kind: "SCAN", window: latest.window }, continues: latest };
}

function isReading(world: World, connection: Connection, kind: "SCAN" | "PROFILE"): boolean {
  for (const job of world.state.jobs.values()) {
    if (job.connectionId === connection.id && job.kind === kind && isInFlight(job.status)) return true;
  }
  return false;
}
