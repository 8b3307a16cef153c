import type { ErrorCode } from "@social-connect/contract";
import {
  endedCapabilities,
  isEndedByRefusals,
  recheckConnection,
  refuseRead,
  servedCapabilities,
} from "@social-connect/domain";
import type { Job, Prisma } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { credentialEndsAt } from "../grants/sealTokens.ts";
import { withProviderSession } from "../grants/withProviderSession.ts";
import { callRefusalsOf } from "../registrations/callRefusals.ts";
import { noteRefusal } from "../registrations/noteRefusal.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { examineHidden } from "./examineHidden.ts";
import { connectionOf, runAttempt, StaleAttemptError } from "./jobAttempt.ts";
import type { ReadContext } from "./readContext.ts";
import { urgencyOf } from "./readJobs.ts";
import { asProviderError, deletedPost, type ReadResult, recordRead } from "./recordRead.ts";
import type { ReadConnection } from "./storeRead.ts";

/**
 * Runs an attempt at a read job: claims it, checks access, calls the provider, and stores the result together with a new
 * check of access. Discards the result if the attempt was superseded or the connection was disconnected.
 */
export async function runRead(
  service: Service,
  row: RowKey,
  read: (context: ReadContext) => Promise<ReadResult>,
): Promise<void> {
  await runAttempt(service, row, async (job) => {
    const connection = await loadConnection(service, connectionOf(job));
    await recordRead(service, job, connection, await attempt(service, job, connection, read));
  });
}

async function loadConnection({ prisma }: Service, row: RowKey): Promise<OwnedConnection> {
  const connection = await prisma.connection.findUnique({ where: keyOf(row), include: ACCESS });
  // Prisma loads relations in separate statements, so an erasure can take the application in between.
  if (connection?.application == null) throw new StaleAttemptError();
  return withAccess(connection);
}

export function withAccess(connection: ConnectionWithOwners): OwnedConnection {
  const refusals = callRefusalsOf(connection);
  return { ...connection, refusals, offeredCapabilities: connection.registration.capabilities };
}

async function attempt(
  service: Service,
  job: Job,
  connection: OwnedConnection,
  read: (context: ReadContext) => Promise<ReadResult>,
): Promise<ReadResult> {
  const refused = refuseRead(job, connection, recheck(connection, await service.clock.now()));
  if (refused !== null) return refused;
  const context: ReadContext = {
    service,
    job,
    connection,
    adapter: service.provider(connection.provider),
    withMetrics: asksForMetrics(job, connection),
    call: (use) =>
      noteRefusal(service, connection.registration, () =>
        withProviderSession(service, connection, use, urgencyOf(job.background, connection)),
      ),
  };
  let isRevived = false;
  try {
    // The account shows that the provider accepts its token and its owner again.
    if (isEndedByRefusals(connection)) isRevived = (await readProfile(context)).outcome === "succeeded";
    return { ...(await read(context)), isRevived };
  } catch (error) {
    if (error instanceof StaleAttemptError) throw error;
    const fault = asProviderError(service, job, error);
    if (!isRevived && isEndedByRefusals(connection)) fault.call ??= "ACCOUNT";
    return { outcome: "interrupted", fault, isRevived };
  }
}

/** Once the provider refuses the numbers of an account, only a read of one post asks for them. */
function asksForMetrics({ kind }: Job, connection: OwnedConnection): boolean {
  if (kind === "SCAN" && endedCapabilities(connection.refusals).includes("CONTENT_METRICS")) return false;
  return servedCapabilities(connection).includes("CONTENT_METRICS");
}

/** What decides whether a connection can be read. */
export const ACCESS = { application: true, grant: true, registration: { include: { applications: true } } } as const;
type ConnectionWithOwners = Prisma.ConnectionGetPayload<{ include: typeof ACCESS }>;
export type OwnedConnection = ConnectionWithOwners & ReadConnection;

/** Rule 1 of part 3 of the service description. The state may have changed since the job was enqueued. */
export function recheck(connection: OwnedConnection, now: Date): ErrorCode | null {
  const { application, grant, registration } = connection;
  const { allApplications, applications, status } = registration;
  const servesApplication =
    allApplications || applications.some(({ applicationId }) => applicationId === application.id);
  return recheckConnection(
    {
      connection,
      application,
      grant: grant && { active: grant.status === "ACTIVE", refreshExpiresAt: credentialEndsAt(grant) },
      registration: { status, servesApplication },
    },
    now,
  );
}

/** Rereads the account's profile. */
export async function runProfileRead(service: Service, job: RowKey): Promise<void> {
  await runRead(service, job, readProfile);
}

async function readProfile({ service, connection, adapter, call }: ReadContext): Promise<ReadResult> {
  const profileObservedAt = await service.clock.now();
  const account = await call((session) => adapter.readAccount(session));
  // The credential now belongs to another account, whose data must not be stored here.
  if (account.providerAccountId !== connection.providerAccountId) {
    throw new ProviderError("grant_gone", "the credential belongs to another account");
  }
  const { displayName, handle, avatarUrl, profileUrl, description, providerUserKey } = account;
  const profile = { displayName, handle, avatarUrl, profileUrl, description, profileObservedAt };
  return {
    outcome: "succeeded",
    connection: { ...profile, ...(providerUserKey === null ? {} : { providerUserKey }) },
  };
}

/** Rereads a stored post with its metrics. Source: service description, part 4, requestRefresh. */
export async function runMetricsRefresh(service: Service, job: RowKey): Promise<void> {
  await runRead(service, job, readPost);
}

async function readPost(context: ReadContext): Promise<ReadResult> {
  const { service, job, adapter, call, withMetrics } = context;
  const id = job.targetContentId;
  if (id === null) throw new Error("The metrics job has no post.");
  const observedAt = await service.clock.now();
  const {
    items,
    unreadable,
    unproven,
    refusal = null,
  } = await call((session) => adapter.readContent(session, { providerContentIds: [id], withMetrics }));
  if (unproven?.includes(id)) return examineHidden(context, id);
  if (unreadable.includes(id)) return { outcome: "succeeded", refused: [id], refusedCall: refusal };
  const item = items.find((candidate) => candidate.providerContentId === id);
  if (item === undefined || item.reason === "DELETED_AT_PROVIDER") return deletedPost(id);
  return { outcome: "succeeded", observed: [{ item, observedAt }], refusedCall: refusal };
}
