import type { Capability, ErrorCode, JobErrorCode } from "@social-connect/contract";
import type { JobKind } from "./job.ts";

/** The capability that each kind of read lives on. */
const NEEDED_BY_READ: Readonly<Partial<Record<JobKind, Capability>>> = {
  SCAN: "CONTENT_LIST",
  METRICS: "CONTENT_METRICS",
  LOOKUP: "CONTENT_LOOKUP",
  PROFILE: "PROFILE",
};

/** What the connection must have been granted for a kind of read; nothing for what is no read of content. */
export function capabilitiesOfRead(kind: JobKind): Capability[] {
  const capability = NEEDED_BY_READ[kind];
  return capability === undefined ? [] : [capability];
}

/** Jobs have fewer codes than calls: what the policy or the registration no longer allows is a capability that is gone. */
export function jobErrorCode(code: ErrorCode): JobErrorCode {
  if (code === "AUTHORIZATION_SUSPENDED" || code === "RECONNECT_REQUIRED") return code;
  return code === "NOT_FOUND" ? "DISCONNECTED" : "CAPABILITY_UNAVAILABLE";
}
