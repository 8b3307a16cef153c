import {
  type AuditRecord,
  accepted,
  checkReasonAbout,
  connectionViewed,
  describeRefusals,
  JOB_KINDS,
  type JobKind,
  notFound,
} from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import { SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { callRefusalsOf } from "../registrations/callRefusals.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { listJobs } from "./listJobs.ts";

const JOBS_SHOWN = 20;
/** Each kind has its own limit, so that frequent reads of one kind do not hide the others. */
const JOBS_SHOWN_OF_KIND = 10;

/**
 * States, codes, times and counts of a connection, for support. Never a token, a name, a title or a text. Records the
 * reason in the audit log.
 */
export async function showConnection(service: Service, id: string, reason: string) {
  const found = await findConnection(service, id);
  if (!found) return accepted(notFound("The connection"));
  accepted(checkReasonAbout(found, reason));
  await recordAudit(service.prisma, SYSTEM, await service.clock.now(), viewed(found, reason));
  const {
    application,
    registration: _,
    tenantKey,
    externalSubjectId,
    providerAccountId,
    callRefusals,
    ...shown
  } = found;
  const { id: connectionId, applicationId } = found;
  return {
    ...shown,
    refusals: describeRefusals(callRefusalsOf({ callRefusals })),
    application: application.slug,
    posts: await countPosts(service, found),
    jobs: await listJobs(service, { applicationId, connectionId }, JOBS_SHOWN),
  };
}

export type FoundConnection = NonNullable<Awaited<ReturnType<typeof findConnection>>>;

/** A connection with its grant, registration and application, without a token and without what its user has published. */
export async function findConnection({ prisma }: Pick<Service, "prisma">, id: string) {
  const connectionId = asUuid(id);
  if (connectionId === null) return null;
  return prisma.connection.findFirst({ where: { id: connectionId }, select: SHOWN });
}

/** The audit entry for opening the connection. */
export function viewed(
  { id, provider, application }: Pick<FoundConnection, "id" | "provider" | "application">,
  reason: string,
): AuditRecord {
  return connectionViewed({ id, provider, clientSlug: application.slug }, reason);
}

export async function countPosts({ prisma }: Pick<Service, "prisma">, { id: connectionId, applicationId }: RowKey) {
  const where = { applicationId, connectionId };
  const posts = await prisma.contentItem.groupBy({ by: ["availability"], where, _count: true });
  return Object.fromEntries(posts.map(({ availability, _count }) => [availability, _count]));
}

/** The newest jobs of each kind, newest first. */
export async function listJobsOfConnection(
  service: Pick<Service, "prisma">,
  { id: connectionId, applicationId }: RowKey,
  kinds: readonly JobKind[] = JOB_KINDS,
) {
  const ofKind = (kind: JobKind) => listJobs(service, { applicationId, connectionId, kind }, JOBS_SHOWN_OF_KIND);
  const jobs = (await Promise.all(kinds.map(ofKind))).flat();
  return jobs.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/** What of an application decides about its connections. */
export const SUPPORTED_APPLICATION = {
  id: true,
  slug: true,
  enabled: true,
  tenantKeys: true,
  providers: true,
  capabilities: true,
} as const satisfies Prisma.ApplicationSelect;

const GRANT_SHOWN = {
  status: true,
  accessTokenExpiresAt: true,
  refreshTokenExpiresAt: true,
  renewalStartedAt: true,
  renewalUnanswered: true,
  version: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Prisma.GrantSelect;

const SHOWN = {
  id: true,
  applicationId: true,
  tenantKey: true,
  externalSubjectId: true,
  provider: true,
  providerAccountId: true,
  registrationId: true,
  status: true,
  syncStatus: true,
  capabilities: true,
  profileObservedAt: true,
  lastSuccessfulSyncAt: true,
  nextRetryAt: true,
  nextScanAt: true,
  nextProfileAt: true,
  appRemovedAt: true,
  callRefusals: true,
  suspendedByJobId: true,
  revokeJobId: true,
  eraseJobId: true,
  createdAt: true,
  updatedAt: true,
  application: { select: SUPPORTED_APPLICATION },
  registration: { select: { id: true, status: true, capabilities: true, allApplications: true, updatedAt: true } },
  grant: { select: GRANT_SHOWN },
} as const satisfies Prisma.ConnectionSelect;
