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
 * What a connection reads as soon as it is made, or made anew: the profile and the default window, as far as granted. Strict
 * mode scans nothing that nobody asked for. A scan or profile read that is still in flight from before does the work with the new credential.
 */
export function orderInitialReads(world: World, connection: Connection): void {
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
  planReads(world, connection);
}

/** Puts the next reads of the background on the agenda. An entry whose date has been moved finds nothing to do. */
export function planReads(world: World, { id, nextScanAt, nextProfileAt }: Connection): void {
  for (const at of [nextScanAt, nextProfileAt]) if (at !== null) world.plan(at.getTime(), "reads", id);
}

/** Orders the re-scan and the profile read that are due, as far as the registration serves them. */
export function orderDueReads(world: World, connection: Connection): void {
  const now = world.now();
  const { nextScanAt, nextProfileAt } = connection;
  const served = servedCapabilities(withOffered(world, connection));
  const isDue = (due: Date | null) => due !== null && due <= now;
  if (!isDue(nextScanAt) && !isDue(nextProfileAt)) return;
  const isRead = (due: Date | null, capability: Capability) =>
    isDue(due) && connection.status === "CONNECTED" && served.includes(capability);
  const scansByItself = !world.settings.strict && isRead(nextScanAt, "CONTENT_LIST");
  if (scansByItself && !isReading(world, connection, "SCAN")) {
    createJob(world, connection, dueScan(world, connection, now));
  }
  if (isRead(nextProfileAt, "PROFILE") && !isReading(world, connection, "PROFILE")) {
    createJob(world, connection, { kind: "PROFILE", background: true });
  }
  connection.nextScanAt = followingRead(nextScanAt, now, world.jitter());
  connection.nextProfileAt = followingRead(nextProfileAt, now, world.jitter());
  planReads(world, connection);
}

/** The rest of a re-scan that a limit cut short, or else the default window from its newest post on. */
function dueScan(world: World, connection: Connection, now: Date): NewJob {
  const scan = { kind: "SCAN", background: true } as const;
  let latest: Job | null = null;
  for (const job of world.state.jobs.values()) {
    if (job.connectionId === connection.id && job.kind === "SCAN") latest = job;
  }
  const isCutShort =
    latest?.background === true &&
    latest.incompleteReason === "UPSTREAM_RATE_LIMITED" &&
    latest.listingCursor !== null &&
    isContinuable(latest, now);
  if (!isCutShort || latest?.window == null) return { ...scan, target: defaultScan(now) };
  return { ...scan, target: { kind: "SCAN", window: latest.window }, continues: latest };
}

function isReading(world: World, connection: Connection, kind: "SCAN" | "PROFILE"): boolean {
  for (const job of world.state.jobs.values()) {
    if (job.connectionId === connection.id && job.kind === kind && isInFlight(job.status)) return true;
  }
  return false;
}
