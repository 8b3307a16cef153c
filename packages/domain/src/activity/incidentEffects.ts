import type { JobErrorCode } from "@social-connect/contract";
import type { ConnectionListFilter } from "../connections/connectionList.ts";
import type { WaitReason } from "../jobs/job.ts";
import { explainAttempt } from "../support/explainAttempt.ts";
import type { SupportCause } from "../support/explainConnection.ts";
import { userMessage } from "../support/userMessages.ts";
import type { Incident } from "./incidents.ts";

/** How often the service reads one connection of the registration while an incident continues, to see whether it is over. */
export const LOOK_EVERY_MS = 60_000;
/** What waited for the end of an incident is tried within this time, so that not everything is tried at once. */
export const RESUMED_WITHIN_MS = 10 * 60_000;

/** What a connection's user is told while jobs fail with a code. */
const CAUSE_OF_CODE: Readonly<Partial<Record<string, SupportCause>>> = {
  UPSTREAM_UNAVAILABLE: "PROVIDER_OUTAGE",
  UPSTREAM_RATE_LIMITED: "PROVIDER_RATE_LIMIT",
  AUTHORIZATION_SUSPENDED: "REGISTRATION_PAUSED",
  CAPABILITY_UNAVAILABLE: "CAPABILITY_NOT_SERVED",
};

const LOOKED_AT: ReadonlySet<Incident["cause"]> = new Set([
  "PROVIDER_CALLS_FAIL",
  "JOBS_ERROR",
  "JOBS_FAIL",
  "SERVICE_FAULT",
  "RECONNECTS_REQUIRED",
  "APPLICATION_REFUSED",
]);

/** Whether a read of a connection can show that it is over. */
export function isLookedAt({ cause }: Pick<Incident, "cause">): boolean {
  return LOOKED_AT.has(cause);
}

/** The code with which reads failed because of it, and what reads wait for; null if its end does not resume any. */
export function interruptedBy({
  cause,
  detail,
}: Pick<Incident, "cause" | "detail">): { readonly errorCode: JobErrorCode; readonly waitReason: WaitReason } | null {
  switch (cause) {
    case "PROVIDER_CALLS_FAIL":
    case "APPLICATION_REFUSED":
      return { errorCode: "UPSTREAM_UNAVAILABLE", waitReason: "PROVIDER_UNAVAILABLE" };
    case "SERVICE_FAULT":
    case "REGISTRATION_REFUSED":
      return { errorCode: "UPSTREAM_UNAVAILABLE", waitReason: "SERVICE_FAULT" };
    case "JOBS_FAIL":
      if (detail === "UPSTREAM_UNAVAILABLE") return { errorCode: detail, waitReason: "PROVIDER_UNAVAILABLE" };
      if (detail === "UPSTREAM_RATE_LIMITED") return { errorCode: detail, waitReason: "RATE_LIMITED" };
      return detail === "AUTHORIZATION_SUSPENDED" ? { errorCode: detail, waitReason: "PAUSED" } : null;
    default:
      return null;
  }
}

/** The connections that it concerns, as a filter of the list of connections; null if it concerns none in particular. */
export function concernedConnections({
  cause,
  detail,
  registrationId,
}: Pick<Incident, "cause" | "detail" | "registrationId">): ConnectionListFilter | null {
  switch (cause) {
    case "PROVIDER_CALLS_FAIL":
      // Also those whose scans still wait, without a code.
      return { registrationId, cause: "PROVIDER_UNAVAILABLE" };
    case "SERVICE_FAULT":
      return { registrationId, cause: "SERVICE_FAULT" };
    case "JOBS_FAIL":
      return { registrationId, status: "CONNECTED", syncStatus: "FAILED", errorCode: detail };
    case "RECONNECTS_REQUIRED":
      return { registrationId, status: "RECONNECT_REQUIRED" };
    case "QUOTA_USED_UP":
      return { registrationId, cause: "QUOTA" };
    case "REGISTRATION_REFUSED":
    case "APPLICATION_REFUSED":
      return { registrationId, status: "CONNECTED" };
    case "EVENT_ENDPOINT_FAILS":
      // An endpoint that was turned off has it after the slug.
      return { clientSlug: detail?.split(" ")[0] };
    default:
      return null;
  }
}

/** What users of applications are told meanwhile, in English; null if they notice nothing of it. */
export function toldMeanwhile({ cause, detail }: Pick<Incident, "cause" | "detail">): string | null {
  if (cause === "CONNECT_ATTEMPTS_FAIL") return explainAttempt("FAILED", detail).userMessage;
  const told = supportCauseOf(cause, detail ?? "");
  return told === null ? null : userMessage("en", told, { since: null, next: null, end: null });
}

function supportCauseOf(cause: Incident["cause"], detail: string): SupportCause | null {
  switch (cause) {
    case "PROVIDER_CALLS_FAIL":
    case "APPLICATION_REFUSED":
      return "PROVIDER_OUTAGE";
    case "JOBS_ERROR":
    case "SERVICE_FAULT":
    case "REGISTRATION_REFUSED":
      return "SERVICE_FAULT";
    case "JOBS_FAIL":
      return CAUSE_OF_CODE[detail] ?? "SCAN_FAILED";
    case "RECONNECTS_REQUIRED":
      return "RECONNECT_REQUIRED";
    case "QUOTA_USED_UP":
      return "QUOTA_USED_UP";
    case "JOBS_STUCK":
      return "WAITING_FOR_WORKER";
    default:
      return null;
  }
}
