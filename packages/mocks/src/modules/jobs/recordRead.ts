import type { JobErrorCode } from "@social-connect/contract";
import {
  capabilitiesOfRead,
  checkContentAccess,
  jobErrorCode,
  nextAfterLimit,
  servedCapabilities,
  shouldLeaveToSchedule,
} from "@social-connect/domain";
import type { Observed } from "../../state/jobRun.ts";
import type { CallFailure } from "../../state/providerCall.ts";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { withOffered } from "../connections/access.ts";
import { markGrantRevoked } from "../grants/markGrantRevoked.ts";
import { scheduleReads } from "./backgroundReads.ts";
import { fail, retryAfter, succeed, tryAgain } from "./jobAttempt.ts";
import { markDeleted, storeObserved } from "./storeContent.ts";

/** The data that was read, also by a failed job. */
interface Findings {
  readonly observed?: readonly Observed[];
  /** Stored posts that the provider no longer has, by a read by id. */
  readonly deleted?: readonly string[];
  readonly job?: Partial<Job>;
  readonly connection?: Partial<Connection>;
}

export type ReadResult =
  | ({ readonly outcome: "succeeded" } & Findings)
  | ({ readonly outcome: "failed"; readonly errorCode: JobErrorCode } & Findings)
  /** A call failed; data of earlier calls is stored. */
  | ({ readonly outcome: "interrupted"; readonly failure: CallFailure } & Findings);

/** Stores the result of a read attempt, after checking access again. */
export function recordRead(world: World, job: Job, result: ReadResult): void {
  const connection = world.state.connections.get(job.connectionId);
  if (connection === undefined) return;
  const access = withOffered(world, connection);
  const refusal = checkContentAccess(access, capabilitiesOfRead(job.kind), null);
  if (refusal !== null) {
    failRead(world, job, connection, jobErrorCode(refusal.code));
    return;
  }

  const withMetrics = servedCapabilities(access).includes("CONTENT_METRICS");
  storeObserved(world, connection.id, result.observed ?? [], withMetrics);
  markDeleted(world, connection.id, result.deleted ?? []);
  switch (result.outcome) {
    case "succeeded":
      if (result.connection !== undefined) update(world, connection, result.connection);
      succeed(world, job, { ...result.job, failures: 0 });
      return;
    case "failed":
      failRead(world, job, connection, result.errorCode, result.job);
      return;
    case "interrupted":
      interrupt(world, job, connection, result);
      return;
  }
}

function interrupt(
  world: World,
  job: Job,
  connection: Connection,
  { failure, ...findings }: Extract<ReadResult, { outcome: "interrupted" }>,
): void {
  switch (failure.kind) {
    case "grant_gone":
      markGrantRevoked(world, connection, failure.appRemoved);
      failRead(world, job, connection, "RECONNECT_REQUIRED", findings.job);
      return;
    case "scope_missing":
      failRead(world, job, connection, "CAPABILITY_UNAVAILABLE", findings.job);
      return;
    case "rejected":
      failRead(world, job, connection, "UPSTREAM_UNAVAILABLE", findings.job);
      return;
    case "access_expired":
    case "rate_limited":
    case "unavailable": {
      const retry = retryAfter(world, job, failure, (findings.observed ?? []).length > 0);
      const limited = failure.kind === "rate_limited";
      if (retry === null || (limited && shouldLeaveToSchedule(job, retry.at, world.now()))) {
        const errorCode = limited ? "UPSTREAM_RATE_LIMITED" : "UPSTREAM_UNAVAILABLE";
        failRead(world, job, connection, errorCode, findings.job);
        if (retry === null) return;
        update(world, connection, nextAfterLimit(job, connection, retry.at));
        return;
      }
      if (job.kind === "SCAN") update(world, connection, { syncStatus: "FAILED", nextRetryAt: retry.at });
      tryAgain(world, job, retry, findings.job);
      return;
    }
  }
}

function failRead(
  world: World,
  job: Job,
  connection: Connection,
  errorCode: JobErrorCode,
  fields: Partial<Job> = {},
): void {
  if (job.kind === "SCAN") update(world, connection, { syncStatus: "FAILED", nextRetryAt: null });
  fail(world, job, errorCode, fields);
}

function update(world: World, connection: Connection, fields: Partial<Connection>): void {
  Object.assign(connection, fields, { updatedAt: world.now() });
  if (fields.nextScanAt !== undefined || fields.nextProfileAt !== undefined) scheduleReads(world, connection);
}
