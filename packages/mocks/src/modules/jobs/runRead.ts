import type { JobErrorCode } from "@social-connect/contract";
import {
  decideReadOutcome,
  faultOf,
  isEndedByRefusals,
  isReadKind,
  type ReadJobKind,
  refusedCallOf,
  refuseRead,
  servedCapabilities,
} from "@social-connect/domain";
import { type JobRun, NOTHING_YET } from "../../state/jobRun.ts";
import { type CallFailure, failure } from "../../state/providerCall.ts";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { recheck, withOffered } from "../connections/access.ts";
import { grantOfConnection, readWithGrant } from "../grants/grants.ts";
import { readOthersSoon, registrationCalls } from "./callRefusals.ts";
import { applyJobChange, CALL_MS, scheduleJob } from "./jobAttempt.ts";
import { lookUp, type NextCall, type ReadContext, type ReadResult, readMetrics, readProfile } from "./readOne.ts";
import { continueScan, firstStepOfScan, scanWithFailure } from "./runScan.ts";
import { discardMetrics, markDeleted, storeObserved } from "./storeContent.ts";

export function recordRead(world: World, job: Job, found: ReadResult): void {
  const connection = world.state.connections.get(job.connectionId);
  if (connection === undefined) return;
  const read: ReadResult = { ...found, isRevived: job.run?.isRevived ?? false };
  const access = withOffered(world, connection);
  const result: ReadResult = refuseRead(job, access, null) ?? read;
  const withMetrics = servedCapabilities(access).includes("CONTENT_METRICS");
  storeObserved(world, connection.id, result.observed ?? [], withMetrics);
  markDeleted(world, connection.id, result.deleted ?? []);
  discardMetrics(world, connection.id, result.refused ?? []);
  const facts = { ...connection, profileObservedAt: connection.profile?.observedAt ?? null };
  const calls = registrationCalls(world, connection);
  const change = decideReadOutcome(job, facts, result, () => world.jitter(), world.now(), calls);
  applyJobChange(world, job, change, result);
  const fault = faultOf(result);
  if (fault !== null && refusedCallOf(job, fault) !== null) readOthersSoon(world, connection);
}

interface Read {
  readonly firstStep: (job: Job) => JobRun["step"];
  readonly next: (read: ReadContext) => ReadResult | NextCall;
  /** How it can fail besides the failures that all reads have in common. */
  readonly failures: readonly JobErrorCode[];
}

export const READS: Readonly<Record<ReadJobKind, Read>> = {
  SCAN: { firstStep: firstStepOfScan, next: continueScan, failures: [] },
  METRICS: { firstStep: () => "read", next: readMetrics, failures: ["CONTENT_NOT_FOUND"] },
  LOOKUP: { firstStep: () => "lookup", next: lookUp, failures: ["CONTENT_NOT_FOUND", "CONTENT_NOT_OWNED"] },
  PROFILE: { firstStep: () => "profile", next: readProfile, failures: [] },
};

function readOf({ kind }: Job): Read {
  if (!isReadKind(kind)) throw new Error(`${kind} is not a read`);
  return READS[kind];
}

export function startRead(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const application = world.state.applications.get(job.applicationId);
  if (connection === undefined || application === undefined) return;
  const refused = refuseRead(job, withOffered(world, connection), recheck(world, connection, application));
  if (refused !== null) {
    recordRead(world, job, refused);
    return;
  }
  const isEnded = isEndedByRefusals(connection);
  const refusal = isEnded ? readWithGrant(world, grantOfConnection(world, connection.id), "profile").failure : null;
  if (refusal !== null) {
    // The account shows whether the provider accepts the connection again.
    recordRead(world, job, { outcome: "interrupted", fault: { ...refusal, call: refusal.call ?? "ACCOUNT" } });
    return;
  }
  call(world, job, connection, { ...NOTHING_YET, step: readOf(job).firstStep(job), isRevived: isEnded });
}

export function resumeRead(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const grant = connection && grantOfConnection(world, connection.id);
  const { run } = job;
  if (!connection || run === null) return;
  // The provider judged the token when the call was made: an end since then shows at the next call.
  const next =
    grant && run.failure === null
      ? readOf(job).next({ world, job, run, connection, grant })
      : nextAfterFailure(job, run, (grant && run.failure) ?? failure("grant_gone"));
  if ("outcome" in next) recordRead(world, job, next);
  else call(world, job, connection, { ...next, isRevived: run.isRevived ?? false });
}

function nextAfterFailure(job: Job, run: JobRun, fault: CallFailure): ReadResult {
  return job.kind === "SCAN" ? scanWithFailure(job, run, fault) : { outcome: "interrupted", fault };
}

function call(world: World, job: Job, connection: Connection, next: NextCall): void {
  const grant = grantOfConnection(world, connection.id);
  const result = readWithGrant(world, grant, next.step === "profile" ? "profile" : "list");
  job.run = { ...next, failure: result.failure };
  scheduleJob(world, job, world.nowMs() + CALL_MS + result.delayMs);
}
