import { EVENT_LIMITS, EVENT_RETRY_DELAYS_SECONDS } from "@social-connect/contract";
import { addMs, hasPassed } from "../time/time.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** The longest part of a delay that is added to it, so that receivers do not get all retries at once after an outage. */
const JITTER = 0.2;
/** The receiver wants no more events (RFC 9110, section 15.5.11). */
const GONE = 410;

/** Why a try failed, or why no further one follows. A receiver's own words are not stored. */
export const DELIVERY_PROBLEMS = {
  STATUS: "The receiver answered with a status other than 2xx.",
  REDIRECT: "The receiver answered with a redirect, which is not followed.",
  TIMEOUT: `The receiver did not answer within ${EVENT_LIMITS.timeoutSeconds} seconds.`,
  NAME: "The host name could not be resolved.",
  PRIVATE_ADDRESS: "The host name leads to an address that is not public.",
  CONNECTION: "The receiver refused or interrupted the connection.",
  TLS: "The certificate of the receiver is not valid.",
  ANSWER: "The answer is not HTTP, or its headers are too large.",
  LOCAL: "The service could not send: its network or settings are at fault.",
  ENDPOINT_OFF: "The endpoint was turned off before the event was delivered.",
  RESTORED: "A backup restored the delivery, and events from before the restore are not sent.",
} as const;
export type DeliveryProblem = keyof typeof DELIVERY_PROBLEMS;

/** How a try ended. */
export interface TryResult {
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** null: the receiver has the event. */
  readonly problem: DeliveryProblem | null;
  readonly retryAfterSeconds: number | null;
}

/** The problem of an answer by its status alone; null for 2xx. */
export function problemOfStatus(status: number): DeliveryProblem | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "REDIRECT" : "STATUS";
}

/**
 * The changes to a delivery and its endpoint after a try. `tries` counts those before this one, and `random` is in [0, 1).
 * A failed try is repeated until the schedule of `EVENT_RETRY_DELAYS_SECONDS` ends.
 */
export function decideTry(
  delivery: { readonly tries: number },
  endpoint: { readonly failingSince: Date | null },
  result: TryResult,
  random: number,
  now: Date,
) {
  const { status: responseStatus, problem } = result;
  const tries = delivery.tries + 1;
  const failingSince = problem === null ? null : (endpoint.failingSince ?? now);
  const turnedOffReason = failingSince && reasonToTurnOff(result, failingSince, now);
  const nextTryAt = problem === null || turnedOffReason !== null ? null : nextTry(tries, result, random, now);
  const hasEnded = nextTryAt === null;
  const status = problem === null ? "SUCCEEDED" : hasEnded ? "FAILED" : "WAITING";
  const tried = { tries, lastTriedAt: now, responseStatus, problem };
  return {
    delivery: { ...tried, status, nextTryAt, finishedAt: hasEnded ? now : null },
    endpoint: { lastTriedAt: now, failingSince, ...(problem === null && { lastSucceededAt: now }) },
    turnedOffReason,
  } as const;
}

/** A fault of this service does not turn an endpoint off, however long it lasts. */
function reasonToTurnOff({ status, problem }: TryResult, failingSince: Date, now: Date): "GONE" | "FAILING" | null {
  if (status === GONE) return "GONE";
  const hasFailedLong = hasPassed(addMs(failingSince, EVENT_LIMITS.turnOffAfterDays * DAY), now);
  return hasFailedLong && problem !== "LOCAL" ? "FAILING" : null;
}

/** When to try again; null after the last try. A receiver's Retry-After only makes a wait longer. */
function nextTry(tries: number, { retryAfterSeconds }: TryResult, random: number, now: Date): Date | null {
  const delaySeconds = EVENT_RETRY_DELAYS_SECONDS[tries - 1];
  if (delaySeconds === undefined) return null;
  const jitter = delaySeconds * JITTER * random;
  return addMs(now, Math.ceil((Math.max(delaySeconds, retryAfterSeconds ?? 0) + jitter) * SECOND));
}
