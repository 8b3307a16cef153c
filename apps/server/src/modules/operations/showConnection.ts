import { accepted, notFound } from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import { SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { listJobs } from "./listJobs.ts";

const JOBS_SHOWN = 20;

/**
 * States, codes, times and counts of a connection, for support. Never a token, a name, a title or a text. Records the
 * reason in the audit log.
 */
export async function showConnection(service: Service, id: string, reason: string) {
  const connectionId = asUuid(id);
  const found =
    connectionId &&
    (await service.prisma.connection.findFirst({
      where: { id: connectionId },
      select: { ...SHOWN, application: { select: { slug: true } }, grant: { select: GRANT_SHOWN } },
    }));
  if (!found) return accepted(notFound("The connection"));
  const { application, ...connection } = found;
  await recordAudit(service.prisma, SYSTEM, await service.clock.now(), {
    action: "Connection viewed",
    target: { type: "CONNECTION", id: connection.id },
    clientSlug: application.slug,
    summary: `Viewed the connection at ${connection.provider}: ${reason}`,
  });
  const posts = await service.prisma.contentItem.groupBy({
    by: ["availability"],
    where: { connectionId: connection.id },
    _count: true,
  });
  return {
    ...connection,
    application: application.slug,
    posts: Object.fromEntries(posts.map(({ availability, _count }) => [availability, _count])),
    jobs: await listJobs(service, { connectionId: connection.id }, JOBS_SHOWN),
  };
}

const SHOWN = {
  id: true,
  provider: true,
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
  suspendedByJobId: true,
  revokeJobId: true,
  eraseJobId: true,
  createdAt: true,
  updatedAt: true,
} as const;

const GRANT_SHOWN = {
  status: true,
  accessTokenExpiresAt: true,
  refreshTokenExpiresAt: true,
  renewalStartedAt: true,
  version: true,
  createdAt: true,
  updatedAt: true,
} as const;
