import { recheckConnection } from "../connections/connectionAccess.ts";
import { isScanFresh } from "../connections/syncStatus.ts";
import { RECONNECT_NOTICE_MS } from "../grants/renewal.ts";
import { isInFlight, type WaitReason } from "../jobs/job.ts";
import { LANGUAGES } from "../languages/languages.ts";
import { isEndedByRefusals } from "../refusals/callRefusals.ts";
import { addMs, hasPassed } from "../time/time.ts";
import { latestJob, type SupportedConnection, type SupportFacts, type SupportJob } from "./supportFacts.ts";
import { type UserMessage, userMessage } from "./userMessages.ts";

/** Who can resolve a cause. */
export type SupportActor = "USER" | "ADMIN" | "PROVIDER" | "NOBODY";

/**
 * Why a connection's posts do not update, or that they do. The order is that of the checks: what ended the connection,
 * what an admin can resolve, what the user can resolve, then how the scans went.
 */
const CAUSES = {
  ERASED: ["USER", "Only the receipts below remain, for 7 days. Nothing can be restored."],
  DISCONNECTED: [
    "USER",
    "The receipts below show whether the provider has revoked the access and whether the data is deleted.",
  ],
  SETTLING: [
    "NOBODY",
    "The revocation of the other account has to settle. A re-check then resumes this connection, or asks for a reconnect.",
  ],
  APP_REMOVED: ["USER", "The user has to reconnect. Retries do not help."],
  CONSENT_EXPIRED: ["USER", "The user has to reconnect. Retries do not help."],
  RECONNECT_REQUIRED: ["USER", "The user has to reconnect. Retries do not help."],
  CALLS_REFUSED: [
    "ADMIN",
    "The provider refuses the calls for this account with the code below, which the service does not know. Look it up at the provider. A read that is answered, or a reconnect, restores everything.",
  ],
  CLIENT_DISABLED: ["ADMIN", "The client is disabled. Enable it on its page."],
  CLIENT_WITHOUT_KEY: ["ADMIN", "The client has no active key, so it cannot read any posts. Issue one on its page."],
  POLICY_FORBIDS: [
    "ADMIN",
    "The client's settings no longer allow the tenant, the provider or a capability of this connection. Check them on the client's page.",
  ],
  REGISTRATION_NOT_SERVING: [
    "ADMIN",
    "The provider's registration does not serve the client. Check the registration's clients.",
  ],
  REGISTRATION_PAUSED: ["ADMIN", "The provider's registration is paused. Publish it again on its page."],
  REGISTRATION_DISABLED: ["ADMIN", "The provider's registration is not published. Publish it on its page."],
  CAPABILITY_NOT_GRANTED: ["USER", "The user did not grant the list of posts, and has to reconnect and grant it."],
  CAPABILITY_NOT_SERVED: ["ADMIN", "The provider's registration does not offer the list of posts. Add it on its page."],
  SCAN_RUNNING: [
    "NOBODY",
    "A scan is running. If it stays so for more than a minute without progress, another worker takes it over.",
  ],
  QUOTA_USED_UP: [
    "ADMIN",
    "Our call budget for the provider, or the client's share of it, is used up. See the quota on the registration's page.",
  ],
  PROVIDER_RATE_LIMIT: [
    "PROVIDER",
    "The provider rejects calls until its limit ends. An earlier retry would be rejected too.",
  ],
  PROVIDER_OUTAGE: [
    "PROVIDER",
    "The provider does not respond, or not as it should. If only this connection is concerned, retry its job; otherwise wait for the provider.",
  ],
  SERVICE_FAULT: [
    "ADMIN",
    "The service itself has a fault: see the overview, the worker’s log and `social-connect doctor`.",
  ],
  WAITING_FOR_WORKER: [
    "ADMIN",
    "The scan waits for a free worker or for another job of the connection. If the health page shows overdue jobs, add workers.",
  ],
  SCAN_FAILED: ["ADMIN", "The code of the failed scan is in the timeline. Start a scan to see whether it still fails."],
  NEVER_SCANNED: ["ADMIN", "No scan is stored. Start one."],
  SCAN_OVERDUE: [
    "ADMIN",
    "The last successful scan is older than 24 hours and none waits. Start a scan, and check the sweeps on the worker.",
  ],
  SCAN_INCOMPLETE: [
    "NOBODY",
    "The last scan ended before the end of its window; its reason is in the timeline. The client can continue it.",
  ],
  CONSENT_ENDS_SOON: [
    "USER",
    "The provider does not renew the credential beyond its end. Ask the user to reconnect before then.",
  ],
  UP_TO_DATE: [
    "NOBODY",
    "The service has the current posts. Ask the client whether it reads them, and for which period.",
  ],
} as const satisfies Record<string, readonly [resolvedBy: SupportActor, nextStepOfAdmin: string]>;

export type SupportCause = keyof typeof CAUSES;
export const SUPPORT_CAUSES = Object.keys(CAUSES) as readonly SupportCause[];

export interface Explanation {
  readonly cause: SupportCause;
  readonly resolvedBy: SupportActor;
  /** For the user, in English, with times in UTC. */
  readonly userMessage: string;
  /** The same in each language of the pages for users. */
  readonly messages: readonly UserMessage[];
  /** For the admin. */
  readonly nextStep: string;
  /** When it began or happened. */
  readonly since: Date | null;
  /** When the service retries. */
  readonly nextTryAt: Date | null;
  /** The job that shows it. */
  readonly jobId: string | null;
}

interface Found {
  readonly cause: SupportCause;
  readonly since?: Date | null;
  readonly nextTryAt?: Date | null;
  /** When the credential ends. */
  readonly endsAt?: Date;
  readonly job?: SupportJob | null;
}

/** Why the posts of a connection do not update, and the message for its user. */
export function explainConnection(facts: SupportFacts, now: Date): Explanation {
  const { cause, since = null, nextTryAt = null, endsAt = null, job = null } = findCause(facts, now);
  const [resolvedBy, nextStep] = CAUSES[cause];
  // A time that has passed would be a promise that was broken.
  const next = nextTryAt !== null && !hasPassed(nextTryAt, now) ? nextTryAt : null;
  const times = { since, next, end: endsAt };
  const messages = LANGUAGES.map((language) => ({ language, text: userMessage(language, cause, times) }));
  const shared = { cause, resolvedBy, nextStep, since, nextTryAt: next, jobId: job?.id ?? null };
  return { ...shared, userMessage: userMessage("en", cause, times), messages };
}

function findCause(facts: SupportFacts, now: Date): Found {
  const { connection, grant } = facts;
  if (connection === null) {
    const job = latestJob(facts, "ERASE");
    return { cause: "ERASED", since: job?.finishedAt ?? null, job };
  }
  switch (connection.status) {
    case "DISCONNECTED":
    case "DELETING": {
      const job = latestJob(facts, "REVOKE");
      return { cause: "DISCONNECTED", since: job?.createdAt ?? null, job };
    }
    case "SUSPENDED": {
      const job = latestJob(facts, "RECHECK");
      return { cause: "SETTLING", nextTryAt: job?.nextRetryAt ?? null, job };
    }
    case "RECONNECT_REQUIRED":
      return findRefusal(connection) ?? lostGrant(connection, grant, now);
    case "CONNECTED":
      return (
        findObstacle(facts, connection, now) ??
        findRefusal(connection) ??
        foreseen(grant, findScanCause(facts, connection, now), now)
      );
  }
}

/** Calls that the provider refuses with a code that the service does not know, and without which no posts are read. */
function findRefusal({ status, refusals }: SupportedConnection): Found | null {
  if (status === "RECONNECT_REQUIRED" && !isEndedByRefusals({ status, refusals })) return null;
  const refusal = refusals.TOKEN ?? refusals.LIST ?? (status === "CONNECTED" ? undefined : refusals.ACCOUNT);
  return refusal === undefined ? null : { cause: "CALLS_REFUSED", since: new Date(refusal.since) };
}

/** A connection without a problem whose credential ends within a week. */
function foreseen(grant: SupportFacts["grant"], found: Found, now: Date): Found {
  const endsAt = grant?.refreshExpiresAt ?? null;
  const isFine = found.cause === "UP_TO_DATE" || found.cause === "SCAN_INCOMPLETE";
  if (!isFine || endsAt === null || !hasPassed(addMs(endsAt, -RECONNECT_NOTICE_MS), now)) return found;
  return { ...found, cause: "CONSENT_ENDS_SOON", endsAt };
}

function lostGrant({ appRemovedAt }: SupportedConnection, grant: SupportFacts["grant"], now: Date): Found {
  if (appRemovedAt !== null) return { cause: "APP_REMOVED", since: appRemovedAt };
  const expiresAt = grant?.refreshExpiresAt ?? null;
  if (expiresAt !== null && hasPassed(expiresAt, now)) return { cause: "CONSENT_EXPIRED", since: expiresAt };
  return { cause: "RECONNECT_REQUIRED", since: grant?.updatedAt ?? null };
}

/** What a read of the connection fails with, in the order of `recheckConnection`. */
function findObstacle(facts: SupportFacts, connection: SupportedConnection, now: Date): Found | null {
  const { application, registration, grant } = facts;
  switch (recheckConnection({ connection, application, registration, grant }, now)) {
    case "FORBIDDEN":
      return { cause: application.enabled ? "POLICY_FORBIDS" : "CLIENT_DISABLED" };
    case "AUTHORIZATION_SUSPENDED":
      return { cause: "REGISTRATION_PAUSED", since: registration?.updatedAt ?? null };
    case "CAPABILITY_UNAVAILABLE":
      return { cause: registration?.servesApplication ? "REGISTRATION_DISABLED" : "REGISTRATION_NOT_SERVING" };
    case "RECONNECT_REQUIRED":
      return lostGrant(connection, grant, now);
  }
  if (!application.hasActiveKey) return { cause: "CLIENT_WITHOUT_KEY" };
  if (!connection.capabilities.includes("CONTENT_LIST")) return { cause: "CAPABILITY_NOT_GRANTED" };
  return registration?.capabilities.includes("CONTENT_LIST") ? null : { cause: "CAPABILITY_NOT_SERVED" };
}

function findScanCause(facts: SupportFacts, connection: SupportedConnection, now: Date): Found {
  const { lastSuccessfulSyncAt: since, nextRetryAt, nextScanAt } = connection;
  const job = facts.jobs.find(({ kind, status }) => kind === "SCAN" && isInFlight(status)) ?? latestJob(facts, "SCAN");
  if (job?.status === "RUNNING") return { cause: "SCAN_RUNNING", since: job.startedAt ?? job.createdAt, job };
  if (job?.status === "QUEUED") {
    return {
      cause: CAUSE_OF_WAIT[job.waitReason ?? "BEHIND_OTHER_WORK"],
      since: job.createdAt,
      nextTryAt: job.nextRetryAt,
      job,
    };
  }
  if (job?.status === "FAILED") {
    return { cause: causeOfFailure(job), since: job.finishedAt, nextTryAt: nextRetryAt ?? nextScanAt, job };
  }
  if (since === null) return { cause: "NEVER_SCANNED", nextTryAt: nextScanAt };
  if (!isScanFresh(since, now)) return { cause: "SCAN_OVERDUE", since, nextTryAt: nextScanAt, job };
  if (connection.syncStatus === "PARTIAL") return { cause: "SCAN_INCOMPLETE", since, nextTryAt: nextScanAt, job };
  return { cause: "UP_TO_DATE", since, nextTryAt: nextScanAt, job };
}

const CAUSE_OF_WAIT = {
  QUOTA: "QUOTA_USED_UP",
  RATE_LIMITED: "PROVIDER_RATE_LIMIT",
  PROVIDER_UNAVAILABLE: "PROVIDER_OUTAGE",
  SERVICE_FAULT: "SERVICE_FAULT",
  PAUSED: "WAITING_FOR_WORKER",
  BEHIND_OTHER_WORK: "WAITING_FOR_WORKER",
} as const satisfies Record<WaitReason, SupportCause>;

function causeOfFailure(job: SupportJob): SupportCause {
  if (job.waitReason === "SERVICE_FAULT") return "SERVICE_FAULT";
  if (job.errorCode === "UPSTREAM_UNAVAILABLE") return "PROVIDER_OUTAGE";
  if (job.errorCode !== "UPSTREAM_RATE_LIMITED") return "SCAN_FAILED";
  return job.waitReason === "QUOTA" ? "QUOTA_USED_UP" : "PROVIDER_RATE_LIMIT";
}
