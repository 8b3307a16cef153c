import {
  connectionRevocationKeys,
  decideRecheck,
  isGrantAccepted,
  mayHaveGrant,
  PROVIDER_TRAITS,
  type RegistrationCalls,
} from "@social-connect/domain";
import type { Connection, Job, Prisma } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { changeConnection } from "../connections/changeConnection.ts";
import { withProviderSession } from "../grants/withProviderSession.ts";
import { type AttemptTransaction, applyJobChange, connectionOf, inAttempt, runAttempt } from "../jobs/jobAttempt.ts";
import { asProviderError, readCallsOf } from "../jobs/recordRead.ts";
import { callRefusalsOf, readOthersSoon } from "../registrations/callRefusals.ts";
import { noteRefusal } from "../registrations/noteRefusal.ts";
import { findRevocationSince, nextRevocationGeneration } from "../revocations/providerRevocations.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { applyFollowUps, lockSettlement } from "./applyFollowUps.ts";

interface Answer {
  /** null if the provider returned the connection's account. */
  readonly fault: ProviderError | null;
  /** The revocation counter before the call to the provider. */
  readonly generation: bigint;
}

const OWNER = { registration: true } as const;
type OwnedConnection = Prisma.ConnectionGetPayload<{ include: typeof OWNER }>;

/**
 * Checks at the provider whether a grant survived a revoke that may have ended it. A suspended connection becomes
 * CONNECTED or RECONNECT_REQUIRED; the latter also if the check fails for 7 days. A connected one, which a revoke can
 * affect without being its sibling's, remains CONNECTED or becomes RECONNECT_REQUIRED.
 */
export async function runRecheck(service: Service, row: RowKey): Promise<void> {
  await runAttempt(service, row, async (job) => {
    const where = keyOf(connectionOf(job));
    const connection = await service.prisma.connection.findUnique({ where, include: OWNER });
    const isChecked = connection !== null && mayHaveGrant(connection.status);
    const answer = isChecked ? await ask(service, job, connection) : null;
    const now = await service.clock.now();
    if (connection === null) return inAttempt(service, job, (locked) => record(service, job, locked, answer, now));
    const { isRefused, facts } = await readCallsOf(service, job, connection, answer?.fault ?? null, now);
    await inAttempt(service, job, (locked) => record(service, job, locked, answer, now, facts));
    if (isRefused) await readOthersSoon(service, connection, now);
  });
}

async function ask(service: Service, job: Job, connection: OwnedConnection): Promise<Answer> {
  const generation = await nextRevocationGeneration(service.prisma);
  const adapter = service.provider(connection.provider);
  try {
    const account = await noteRefusal(service, connection.registration, () =>
      withProviderSession(service, connection, (session) => adapter.readAccount(session)),
    );
    const isSame = account.providerAccountId === connection.providerAccountId;
    return { generation, fault: isSame ? null : new ProviderError("grant_gone", "the grant is of another account") };
  } catch (error) {
    return { generation, fault: asProviderError(service, job, error) };
  }
}

async function record(
  service: Service,
  job: Job,
  locked: AttemptTransaction,
  call: Answer | null,
  now: Date,
  registration?: RegistrationCalls,
): Promise<void> {
  const { transaction } = locked;
  const connection = locked.connection && { ...locked.connection, refusals: callRefusalsOf(locked.connection) };
  const { applicationId } = job;
  const suspendedBy = connection?.suspendedByJobId ?? null;
  if (suspendedBy !== null) await lockSettlement(transaction, { id: suspendedBy, applicationId });
  const revocation = connection && call && (await findRevocation(transaction, connection, call));
  const change = decideRecheck({ job, connection, call, revocation, registration }, service.jitter, now);
  if (connection !== null && change.patch !== null) {
    await changeConnection(service, transaction, connection, change.patch, now, change.code);
  }
  await applyJobChange(service, locked, job, change.job, now);
  await applyFollowUps(service, transaction, applicationId, change.followUps, now);
}

async function findRevocation(transaction: Transaction, connection: Connection, call: Answer) {
  if (!isGrantAccepted(call)) return null;
  const keys = connectionRevocationKeys(connection, PROVIDER_TRAITS[connection.provider]);
  const found = await findRevocationSince(transaction, connection.applicationId, keys, call.generation);
  if (found === null) return null;
  const { id } = found;
  const { applicationId } = connection;
  const isJob = (await transaction.job.count({ where: { id, applicationId, kind: "REVOKE" } })) > 0;
  return { ...found, isJob };
}
