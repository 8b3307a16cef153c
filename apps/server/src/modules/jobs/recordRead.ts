import {
  decideReadOutcome,
  faultOf,
  type ProviderFault,
  type ReadOutcome,
  type RegistrationCalls,
  refusedCallOf,
  refuseRead,
  servedCapabilities,
} from "@social-connect/domain";
import type { Connection, Job, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { CallsPausedError } from "../../providers/breakers.ts";
import type { ProviderError } from "../../providers/contract.ts";
import { providerErrorOf } from "../../providers/serviceFault.ts";
import { hasEndpoints } from "../events/recordEvents.ts";
import {
  callRefusalsOf,
  readOthersSoon,
  readRegistrationCalls,
  registrationRefusalsOf,
} from "../registrations/callRefusals.ts";
import { answerOfFault, noteAnswer } from "../registrations/noteAnswer.ts";
import { loadRegistration } from "../registrations/readRegistrations.ts";
import type { Service } from "../service.ts";
import {
  type AttemptTransaction,
  applyJobChange,
  inAttempt,
  noteOutcome,
  type ReadColumns,
  StaleAttemptError,
} from "./jobAttempt.ts";
import { discardMetrics, markDeleted, type Observed, upsertContent } from "./store.ts";
import { type ReadConnection, storeRead } from "./storeRead.ts";

/** The outcome of a read with what it observed. */
export type ReadResult = ReadOutcome &
  ReadColumns & {
    readonly observed?: readonly Observed[];
    /** Stored posts that the provider did not return by ID. */
    readonly deleted?: readonly string[];
    /** Stored posts that the provider refused to show: their numbers are no longer known. */
    readonly refused?: readonly string[];
  };

/** The provider no longer has the post. A stored copy is marked as deleted in the transaction that ends the job. */
export function deletedPost(providerContentId: string | null): ReadResult {
  const deleted = providerContentId === null ? [] : [providerContentId];
  return { outcome: "failed", errorCode: "CONTENT_NOT_FOUND", deleted };
}

/**
 * Stores the result of a read attempt, and rechecks access. `before` is the connection as the attempt found it. If the
 * findings cannot be stored, it records a failure without them.
 */
export async function recordRead(
  service: Service,
  job: Job,
  before: ReadConnection & { readonly registration: Pick<ProviderRegistration, "callRefusals"> },
  result: ReadResult,
): Promise<void> {
  const now = await service.clock.now();
  const { isRefused, facts } = await readCallsOf(service, job, before, faultOf(result), now);
  try {
    if (facts === undefined && (await storeUnchanged(service, job, before, result, now))) return;
    await inAttempt(service, job, (locked) => write(service, job, locked, result, now, facts));
  } catch (error) {
    if (error instanceof StaleAttemptError) throw error;
    const failed: ReadResult = { outcome: "interrupted", fault: asProviderError(service, job, error) };
    await inAttempt(service, job, (locked) => write(service, job, locked, failed, now));
  }
  if (isRefused) await readOthersSoon(service, before, now);
  const answer = result.outcome === "interrupted" ? answerOfOutage(result.fault) : null;
  if (answer !== null) await noteAnswer(service, before, answer);
}

/** How the provider described that it fails for every account; null for any other fault, and without a call. */
function answerOfOutage(fault: ProviderFault): string | null {
  if (fault instanceof CallsPausedError) return null;
  if (fault.kind !== "unavailable" && fault.kind !== "application_refused") return null;
  return answerOfFault(fault);
}

/** Whether the provider refused a call with an unknown code, and what is known of the registration if that matters. */
export async function readCallsOf(
  service: Service,
  job: Job,
  connection: Connection & { readonly registration: Pick<ProviderRegistration, "callRefusals"> },
  fault: ProviderFault | null,
  now: Date,
): Promise<{ readonly isRefused: boolean; readonly facts: RegistrationCalls | undefined }> {
  const isRefused = fault !== null && refusedCallOf(job, fault) !== null;
  const refusals = [callRefusalsOf(connection), registrationRefusalsOf(connection.registration)];
  const isNeeded = isRefused || refusals.some((known) => Object.keys(known).length > 0);
  return { isRefused, facts: isNeeded ? await readRegistrationCalls(service, connection, now) : undefined };
}

/**
 * Stores a success in one statement if nothing changed during the read on which its outcome depends, and no application has to
 * be told. Otherwise returns false: a transaction decides again, with everything locked.
 */
async function storeUnchanged(
  service: Service,
  job: Job,
  before: ReadConnection,
  read: ReadResult,
  now: Date,
): Promise<boolean> {
  const { result, withMetrics, change } = decide(service, job, before, read, now);
  const { observed = [], deleted = [], refused = [] } = result;
  if (change.patch.status !== "SUCCEEDED" || deleted.length + refused.length > 0) return false;
  const [followUp, ...others] = change.followUps;
  if (others.length > 0 || (followUp !== undefined && followUp.type !== "CHANGE_CONNECTION")) return false;
  const { refusals, ...columns } = followUp?.patch ?? {};
  if (refusals !== undefined) return false;
  if (!job.background && (await hasEndpoints(service, job.applicationId))) return false;
  const isStored = await storeRead(service.pool, job, before, {
    observed,
    withMetrics,
    job: { ...result.job, ...change.patch },
    connection: followUp === undefined ? {} : { ...result.connection, ...columns },
  });
  if (isStored) noteOutcome(job, change.patch);
  return isStored;
}

/** Logs a fault of the service: no provider can resolve it. */
export function asProviderError(service: Service, job: Job, error: unknown): ProviderError {
  const fault = providerErrorOf(error);
  if (fault.kind === "internal") {
    const { id: jobId, kind } = job;
    service.logger.error(
      { err: error, jobId, kind, reason: fault.message },
      "job attempt failed because of the service",
    );
  }
  return fault;
}

async function write(
  service: Service,
  job: Job,
  locked: AttemptTransaction,
  read: ReadResult,
  now: Date,
  facts?: RegistrationCalls,
): Promise<void> {
  const { transaction, connection } = locked;
  if (connection === null) throw new StaleAttemptError();
  const { capabilities: offeredCapabilities } = await loadRegistration(transaction, connection.registrationId);
  const current = { ...connection, refusals: callRefusalsOf(connection), offeredCapabilities };
  const { result, withMetrics, change } = decide(service, job, current, read, now, facts);
  await upsertContent(transaction, connection, result.observed ?? [], withMetrics);
  await markDeleted(transaction, connection, result.deleted ?? [], now);
  await discardMetrics(transaction, connection, result.refused ?? [], now);
  await applyJobChange(service, locked, job, change, now, result);
}

function decide(
  service: Service,
  job: Job,
  connection: ReadConnection,
  read: ReadResult,
  now: Date,
  facts?: RegistrationCalls,
) {
  const result: ReadResult = refuseRead(job, connection, null) ?? read;
  const withMetrics = servedCapabilities(connection).includes("CONTENT_METRICS");
  return { result, withMetrics, change: decideReadOutcome(job, connection, result, service.jitter, now, facts) };
}
