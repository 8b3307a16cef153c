import { capabilitiesOfRead, jobErrorCode } from "@social-connect/domain";
import type { JobRun } from "../../state/jobRun.ts";
import { NOTHING_YET } from "../../state/jobRun.ts";
import type { CallFailure } from "../../state/providerCall.ts";
import { failure } from "../../state/providerCall.ts";
import type { Connection, Grant, Job } from "../../state/state.ts";
import { failureAtEnd, startCall } from "../../upstream/calls.ts";
import type { World } from "../../world/world.ts";
import { checkAccess, recheck } from "../connections/access.ts";
import { grantOfConnection, providerGrantOf, renewIfNeeded } from "../grants/grants.ts";
import { CALL_MS, scheduleJob } from "./jobAttempt.ts";
import { lookUp, readMetrics, readProfile } from "./readOne.ts";
import type { ReadResult } from "./recordRead.ts";
import { recordRead } from "./recordRead.ts";
import { continueScan, scanWithFailure } from "./runScan.ts";

const FIRST_STEP: Readonly<Partial<Record<Job["kind"], JobRun["step"]>>> = {
  SCAN: "list",
  PROFILE: "profile",
  METRICS: "read",
  LOOKUP: "lookup",
};

/** Starts an attempt: checks access and makes the first call. */
export function startRead(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const application = world.state.applications.get(job.applicationId);
  if (connection === undefined || application === undefined) return;
  const code = recheck(world, connection, application);
  if (connection.status === "CONNECTED" && code === "RECONNECT_REQUIRED") {
    recordRead(world, job, { outcome: "interrupted", failure: failure("grant_gone") });
    return;
  }
  const refusal = checkAccess(world, connection, capabilitiesOfRead(job.kind), code);
  if (refusal !== null) {
    recordRead(world, job, { outcome: "failed", errorCode: jobErrorCode(refusal.code) });
    return;
  }
  const step = FIRST_STEP[job.kind];
  if (step === undefined) throw new Error(`${job.kind} is not a read`);
  call(world, job, connection, { ...NOTHING_YET, step });
}

/** Continues with the response of the pending call. */
export function resumeRead(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const grant = connection && grantOfConnection(world, connection.id);
  const { run } = job;
  if (!connection || run === null) return;
  const failed = grant ? (run.failure ?? failureAtEnd(providerGrantOf(world, grant))) : failure("grant_gone");
  const next =
    failed === null && grant ? nextStep(world, job, run, connection, grant) : failedStep(world, job, run, failed);
  if ("outcome" in next) recordRead(world, job, next);
  else call(world, job, connection, next);
}

type NextCall = Omit<JobRun, "failure">;

function nextStep(world: World, job: Job, run: JobRun, connection: Connection, grant: Grant): ReadResult | NextCall {
  switch (job.kind) {
    case "PROFILE":
      return readProfile(world, connection, grant);
    case "METRICS":
      return readMetrics(world, job, connection, grant);
    case "LOOKUP":
      return lookUp(world, job, connection, grant);
    default:
      return continueScan(world, job, run, connection, grant);
  }
}

function failedStep(world: World, job: Job, run: JobRun, failed: CallFailure | null): ReadResult | NextCall {
  if (failed === null) throw new Error("a call without a grant has no failure");
  return job.kind === "SCAN" ? scanWithFailure(world, job, run, failed) : { outcome: "interrupted", failure: failed };
}

/** Makes one call at the provider, after refreshing an expiring access token. */
function call(world: World, job: Job, connection: Connection, next: NextCall): void {
  const grant = grantOfConnection(world, connection.id);
  const unusable = grant === null ? failure("grant_gone") : renewIfNeeded(world, grant);
  const result =
    grant === null || unusable !== null
      ? { delayMs: 0, failure: unusable }
      : startCall(world, providerGrantOf(world, grant), next.step === "profile" ? "profile" : "list");
  job.run = { ...next, failure: result.failure };
  scheduleJob(world, job, world.nowMs() + CALL_MS + result.delayMs);
}
