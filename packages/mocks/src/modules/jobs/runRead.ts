import { refuseRead } from "@social-connect/domain";
import { PROVIDERS } from "../../providers/providers.ts";
import type { JobRun } from "../../state/jobRun.ts";
import { NOTHING_YET } from "../../state/jobRun.ts";
import type { CallFailure } from "../../state/providerCall.ts";
import { failure } from "../../state/providerCall.ts";
import type { Connection, Grant, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { recheck, withOffered } from "../connections/access.ts";
import { grantOfConnection, readWithGrant } from "../grants/grants.ts";
import { CALL_MS, scheduleJob } from "./jobAttempt.ts";
import { lookUp, readMetrics, readProfile } from "./readOne.ts";
import type { ReadResult } from "./recordRead.ts";
import { recordRead } from "./recordRead.ts";
import { continueScan, scanWithFailure } from "./runScan.ts";

function firstStep({ kind, provider, listingCursor }: Job): JobRun["step"] {
  switch (kind) {
    case "SCAN":
      return PROVIDERS[provider].listing.readsAccountFirst && listingCursor === null ? "profile" : "list";
    case "PROFILE":
      return "profile";
    case "METRICS":
      return "read";
    case "LOOKUP":
      return "lookup";
    default:
      throw new Error(`${kind} is not a read`);
  }
}

/** Starts an attempt: checks access and makes the first call. */
export function startRead(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const application = world.state.applications.get(job.applicationId);
  if (connection === undefined || application === undefined) return;
  const refused = refuseRead(job, withOffered(world, connection), recheck(world, connection, application));
  if (refused !== null) {
    recordRead(world, job, refused);
    return;
  }
  call(world, job, connection, { ...NOTHING_YET, step: firstStep(job) });
}

/** Continues with the response of the pending call. */
export function resumeRead(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const grant = connection && grantOfConnection(world, connection.id);
  const { run } = job;
  if (!connection || run === null) return;
  // The provider judged the token when the call was made: an end since then shows at the next call.
  const failed = grant ? run.failure : failure("grant_gone");
  const next = failed === null && grant ? nextStep(world, job, run, connection, grant) : failedStep(job, run, failed);
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
      if (run.step === "profile") return { ...NOTHING_YET, step: "list" };
      return continueScan(world, job, run, connection, grant);
  }
}

function failedStep(job: Job, run: JobRun, failed: CallFailure | null): ReadResult | NextCall {
  if (failed === null) throw new Error("a call without a grant has no failure");
  return job.kind === "SCAN" ? scanWithFailure(job, run, failed) : { outcome: "interrupted", fault: failed };
}

/** Makes one call at the provider. */
function call(world: World, job: Job, connection: Connection, next: NextCall): void {
  const grant = grantOfConnection(world, connection.id);
  const result = readWithGrant(world, grant, next.step === "profile" ? "profile" : "list");
  job.run = { ...next, failure: result.failure };
  scheduleJob(world, job, world.nowMs() + CALL_MS + result.delayMs);
}
