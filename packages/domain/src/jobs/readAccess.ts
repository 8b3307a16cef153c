import type { Capability, ErrorCode, JobErrorCode } from "@social-connect/contract";
import { checkContentAccess } from "../connections/connectionAccess.ts";
import { asAskedFor } from "../refusals/callRefusals.ts";
import { JOB_TRAITS, type JobKind, retryBoundsOf } from "./job.ts";
import type { ReadOutcome } from "./outcome.ts";

/** The capabilities that the connection needs for a kind of job; empty for a job that does not read content. */
export function capabilitiesOfRead(kind: JobKind): Capability[] {
  const { needs } = JOB_TRAITS[kind];
  return needs === null ? [] : [needs];
}

/** Jobs have fewer codes than calls: a policy or registration that no longer allows the read is a missing capability. */
export function jobErrorCode(code: ErrorCode): JobErrorCode {
  if (code === "AUTHORIZATION_SUSPENDED" || code === "RECONNECT_REQUIRED") return code;
  return code === "NOT_FOUND" ? "DISCONNECTED" : "CAPABILITY_UNAVAILABLE";
}

/** What a read ends with without a call to the provider; null to call it. `recheckCode` as for `checkContentAccess`. */
export function refuseRead(
  job: { readonly kind: JobKind; readonly failures: number },
  stored: Parameters<typeof checkContentAccess>[0],
  recheckCode: ErrorCode | null,
): Exclude<ReadOutcome, { outcome: "succeeded" }> | null {
  // The only way in which a job that crashes its workers ends.
  if (job.failures >= retryBoundsOf(job.kind).maxFailures) {
    return { outcome: "failed", errorCode: "UPSTREAM_UNAVAILABLE" };
  }
  const connection = asAskedFor(stored);
  if (connection.status === "CONNECTED" && recheckCode === "RECONNECT_REQUIRED") {
    return {
      outcome: "interrupted",
      fault: { kind: "grant_gone", retryAfterSeconds: null, appRemoved: false, message: "the credential expired" },
    };
  }
  const refusal = checkContentAccess(connection, capabilitiesOfRead(job.kind), recheckCode);
  return refusal && { outcome: "failed", errorCode: jobErrorCode(refusal.code) };
}
