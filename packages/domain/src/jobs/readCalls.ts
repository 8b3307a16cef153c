import type { Capability, ConnectionStatus, JobErrorCode } from "@social-connect/contract";
import { moveConnection, NO_READS } from "../connections/connection.ts";
import type { CausePatch } from "../connections/connectionCause.ts";
import type { StoredSyncStatus } from "../connections/syncStatus.ts";
import {
  answerOf,
  areMostRead,
  type CallKind,
  type CallRefusals,
  decideRefusedCall,
  endsConnection,
  isEndedByRefusals,
  type RefusedCall,
  type RegistrationCalls,
  type RegistrationRefusals,
  type TriedConnection,
  withoutAnswered,
} from "../refusals/callRefusals.ts";
import { addMs, hasPassed } from "../time/time.ts";
import { type BackgroundDates, earlier, nextBackgroundRead } from "./backgroundReads.ts";
import { callOf, type JobKind } from "./job.ts";
import type { ProviderFault, RetriedJob } from "./retry.ts";

export interface ConnectionPatch extends Partial<BackgroundDates>, CausePatch {
  readonly syncStatus?: StoredSyncStatus;
  /** Why the latest scan failed; null unless syncStatus is FAILED. */
  readonly scanErrorCode?: JobErrorCode | null;
  readonly lastSuccessfulSyncAt?: Date;
  readonly nextRetryAt?: Date | null;
  /** When the provider first said that the account cannot be read; null when a read succeeds. */
  readonly unreadableSince?: Date | null;
  /** When the provider last responded to a read. */
  readonly triedAt?: Date;
  readonly refusals?: CallRefusals;
  readonly status?: ConnectionStatus;
  readonly updatedAt: Date;
}

export interface ReadConnectionFacts extends BackgroundDates, TriedConnection {
  readonly unreadableSince: Date | null;
  readonly status: ConnectionStatus;
  /** Why it is not read; null or absent if nothing keeps it from being read. */
  readonly cause?: string | null;
  readonly capabilities: readonly Capability[];
}

/** A read that does not change its connection otherwise stores this seldom that the provider responded. */
const NOTE_ANSWER_MS = 600_000;

/** Statuses that say nothing about the call: a timeout, too early, too many. */
const PASSING_STATUSES: readonly number[] = [408, 425, 429];

/** The kind of the call that the provider refused with a code that we do not know; null for any other failure. */
export function refusedCallOf(job: { readonly kind: JobKind }, fault: ProviderFault): CallKind | null {
  const { kind, refusal, call } = fault;
  const own = callOf(job.kind);
  if (refusal == null || own === null) return null;
  // A renewed token that is still refused, and a refusal without a code.
  const isStrange = kind === "access_expired" || (kind === "unavailable" && isClientError(refusal.status));
  return kind === "rejected" || isStrange ? (call ?? own) : null;
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500 && !PASSING_STATUSES.includes(status);
}

export const NOTHING_KNOWN: RegistrationCalls = { refusals: {}, others: [] };

/** What a read shows of its calls. */
interface CallsOfRead {
  readonly outcome: "succeeded" | "failed" | "interrupted";
  readonly errorCode?: JobErrorCode;
  readonly fault?: ProviderFault;
  readonly refusedCall?: ProviderFault | null;
  readonly isRevived?: boolean;
  readonly observed?: readonly unknown[];
}

/** Refusals of a registration that begin, and kinds of calls that are answered again. */
export interface RegistrationChange {
  readonly begun: RegistrationRefusals;
  readonly over: readonly CallKind[];
}

/** What the calls of a read changed about refusals. */
export interface DecidedCalls {
  readonly refused: (RefusedCall & { readonly kind: CallKind }) | null;
  readonly columns: Omit<ConnectionPatch, "updatedAt">;
  /** Present if the registration's refusals change. */
  readonly registration: RegistrationChange | null;
}

export function decideCalls(
  job: RetriedJob,
  connection: ReadConnectionFacts,
  result: CallsOfRead,
  random: () => number,
  now: Date,
  registration: RegistrationCalls,
): DecidedCalls {
  const fault = faultOf(result);
  const kind = fault && refusedCallOf(job, fault);
  const answer = { code: fault?.refusal?.code ?? null, message: fault?.refusal?.message ?? null };
  // Posts that were read show that not all calls of the kind are refused.
  const isPartial = job.kind === "SCAN" && (result.observed ?? []).length > 0;
  const answered = answeredCalls(job, connection, result, kind, isPartial);
  const before = withoutAnswered(connection.refusals, answered);
  const goodAt = kind === null || isPartial ? null : goodAnswer(job, kind, connection);
  const refused =
    kind === null
      ? null
      : { kind, ...decideRefusedCall({ kind, answer, before, goodAt, others: registration.others }, now) };
  const columns = {
    ...noteAnswer(job, connection, answered.length > 0 || refused !== null, now),
    ...resumed(connection, before, answered, random, now),
    ...(refused !== null && refusedColumns(connection, refused)),
  };
  return {
    refused,
    columns,
    registration: changeRegistration(registration, connection, refused, answered, answer, now),
  };
}

/** The failure that interrupted a read, or the refusal that did not. */
export function faultOf({ fault, refusedCall }: CallsOfRead): ProviderFault | null {
  return fault ?? refusedCall ?? null;
}

/** Failures that are the provider's answer. */
const ANSWERS: readonly (JobErrorCode | undefined)[] = ["CONTENT_NOT_FOUND", "CONTENT_NOT_OWNED"];

/** The kinds of calls that this read shows to be answered. */
function answeredCalls(
  job: RetriedJob,
  { refusals }: ReadConnectionFacts,
  { outcome, errorCode, isRevived }: CallsOfRead,
  refused: CallKind | null,
  isPartial: boolean,
): CallKind[] {
  const own = callOf(job.kind);
  if (own === null) return [];
  const isEndedByAnswer = outcome === "succeeded" || ANSWERS.includes(errorCode);
  const isAnswered = refused === null ? isEndedByAnswer || isPartial : isPartial && own === "LIST";
  // A call can only be refused with a token.
  const token: CallKind[] = isAnswered || isRevived || (refused !== null && refused !== "TOKEN") ? ["TOKEN"] : [];
  // Once the numbers have ended, scans do not ask for them.
  const metrics: CallKind[] = isPartial && own === "LIST" && !refusals.METRICS?.endedAt ? ["METRICS"] : [];
  return [...token, ...(isRevived ? (["ACCOUNT"] as const) : []), ...(isAnswered ? [own, ...metrics] : [])];
}

/** The schedule reads the account and the list every day, so that the last answer is known, unless the connection is suspended. */
function goodAnswer({ kind: job }: RetriedJob, kind: CallKind, connection: ReadConnectionFacts): Date | null {
  if (job === "RECHECK") return null;
  return kind === "TOKEN" || job === "SCAN" || job === "PROFILE" ? answerOf(kind, connection) : null;
}

/** An answer that only the connection's next answers would show is stored now and then. */
function noteAnswer(
  job: RetriedJob,
  { triedAt }: ReadConnectionFacts,
  isTried: boolean,
  now: Date,
): Omit<ConnectionPatch, "updatedAt"> {
  if (!isTried) return {};
  const isChangedAnyway = job.kind === "SCAN" || job.kind === "PROFILE";
  return isChangedAnyway || triedAt === null || hasPassed(addMs(triedAt, NOTE_ANSWER_MS), now) ? { triedAt: now } : {};
}

/** Moves up the read that can decide, or ends the reads that a lasting refusal concerns. */
function refusedColumns(
  connection: ReadConnectionFacts,
  { kind, verdict, refusals, nextTryAt }: NonNullable<DecidedCalls["refused"]>,
): Omit<ConnectionPatch, "updatedAt"> {
  const { nextScanAt, nextProfileAt } = connection;
  const scan = kind === "LIST" || kind === "TOKEN" || kind === "METRICS";
  const profile = kind === "ACCOUNT" || kind === "TOKEN";
  switch (verdict) {
    case "COUNTED":
      return {
        refusals,
        ...(scan && nextScanAt !== null && { nextScanAt: earlier(nextScanAt, nextTryAt) }),
        ...(profile && nextProfileAt !== null && { nextProfileAt: earlier(nextProfileAt, nextTryAt) }),
      };
    case "ENDED": {
      const status = endsConnection(kind) ? moveConnection(connection.status, "CALLS_REFUSED") : null;
      if (endsConnection(kind)) return { refusals, ...NO_READS, ...(status !== null && { status }) };
      return { refusals, ...(kind === "LIST" && { nextScanAt: null, nextRetryAt: null }) };
    }
    case "REGISTRATION":
      return { refusals };
  }
}

/** What good answers bring back: the connection, and the background reads that had ended. */
function resumed(
  connection: ReadConnectionFacts,
  refusals: CallRefusals,
  answered: readonly CallKind[],
  random: () => number,
  now: Date,
): Omit<ConnectionPatch, "updatedAt"> {
  if (Object.keys(refusals).length === Object.keys(connection.refusals).length) return {};
  const hasEnded = answered.filter((kind) => connection.refusals[kind]?.endedAt);
  const isBack = isEndedByRefusals(connection) && !isEndedByRefusals({ ...connection, refusals });
  const status = isBack ? moveConnection(connection.status, "CALLS_ANSWERED") : null;
  const { capabilities } = connection;
  const scans =
    (isBack || hasEnded.includes("LIST")) && capabilities.includes("CONTENT_LIST") && !refusals.LIST?.endedAt;
  return {
    refusals,
    ...(status !== null && { status }),
    ...(scans && { nextScanAt: nextBackgroundRead(now, random()) }),
    ...(isBack && capabilities.includes("PROFILE") && { nextProfileAt: nextBackgroundRead(now, random()) }),
  };
}

/**
 * What this read changes about the registration's refusals; null if nothing. A good answer for a connection that was refused
 * ends them, and one for another connection if most are read again.
 */
function changeRegistration(
  { refusals: before, others }: RegistrationCalls,
  connection: ReadConnectionFacts,
  refused: DecidedCalls["refused"],
  answered: readonly CallKind[],
  answer: { readonly code: string | null; readonly message: string | null },
  now: Date,
): RegistrationChange | null {
  if (refused?.verdict === "REGISTRATION") {
    if (before[refused.kind] !== undefined) return null;
    return { begun: { [refused.kind]: { since: now.toISOString(), ...answer } }, over: [] };
  }
  const isOver = (kind: CallKind) => connection.refusals[kind] !== undefined || areMostRead(kind, others, now);
  const over = answered.filter((kind) => before[kind] !== undefined && isOver(kind));
  return over.length === 0 ? null : { begun: {}, over };
}
