import { decideReadOutcome, type ReadOutcome, refuseRead, servedCapabilities } from "@social-connect/domain";
import type { Observed } from "../../state/jobRun.ts";
import type { Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { withOffered } from "../connections/access.ts";
import { applyJobChange, type ReadColumns } from "./jobAttempt.ts";
import { markDeleted, storeObserved } from "./storeContent.ts";

/** The outcome of a read with what it observed. */
export type ReadResult = ReadOutcome &
  ReadColumns & {
    readonly observed?: readonly Observed[];
    /** Stored posts that the provider no longer has, by a read by id. */
    readonly deleted?: readonly string[];
  };

/** Stores the result of a read attempt, after checking access again. */
export function recordRead(world: World, job: Job, read: ReadResult): void {
  const connection = world.state.connections.get(job.connectionId);
  if (connection === undefined) return;
  const access = withOffered(world, connection);
  const result: ReadResult = refuseRead(job, access, null) ?? read;
  const withMetrics = servedCapabilities(access).includes("CONTENT_METRICS");
  storeObserved(world, connection.id, result.observed ?? [], withMetrics);
  markDeleted(world, connection.id, result.deleted ?? []);
  const change = decideReadOutcome(job, connection, result, () => world.jitter(), world.now());
  applyJobChange(world, job, change, result);
}
