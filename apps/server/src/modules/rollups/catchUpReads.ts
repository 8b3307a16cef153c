import { addMs, catchUpDates, RESUMED_WITHIN_MS } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { ownedBy, type ShardGroup } from "../../platform/distribution/shardGroups.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { type Batch, handleBatch, idsOf, LOWEST_ID } from "../sweeps/sweep.ts";
import { type ResumedPart, soon } from "./resumeReads.ts";

/**
 * Moves the late reads of registrations that were published to times within ten minutes: those that failed, and those that were
 * skipped while a registration was paused or disabled, whether or not there was an incident.
 */
export class CatchUp {
  /** Those of the run; null before its first batch. */
  #published: Pick<ProviderRegistration, "id" | "catchUpSince">[] | null = null;
  /** The connections are read once, by their ids. */
  #after = LOWEST_ID;
  /** Connections that other processes had locked. */
  #skipped = 0;

  async next(service: Service, part: ResumedPart): Promise<Batch> {
    const { prisma } = service;
    this.#published ??= await prisma.providerRegistration.findMany({
      where: { status: "PUBLISHED", catchUpSince: { not: null } },
      select: { id: true, catchUpSince: true },
    });
    const published = this.#published;
    if (published.length === 0) return { handled: 0, isLast: true };
    const rows = await prisma.connection.findMany({
      where: { id: { gt: this.#after } },
      select: { id: true, applicationId: true, registrationId: true, ...PLANNED },
      orderBy: { id: "asc" },
      take: part.limit,
    });
    const ids = new Set(published.map(({ id }) => id));
    const late = rows.filter((row) => ids.has(row.registrationId) && datesOf(service, row, part) !== null);
    const batch = await handleBatch(prisma, { rows: late, ...part }, (group) => this.#move(service, group, part));
    this.#after = rows.at(-1)?.id ?? this.#after;
    const isLast = rows.length < part.limit;
    if (isLast && this.#skipped === 0) {
      // Not of one that was published again meanwhile.
      await prisma.providerRegistration.updateMany({ where: { OR: published }, data: { catchUpSince: null } });
    }
    return { ...batch, isLast };
  }

  async #move(service: Service, group: ShardGroup<RowKey>, part: ResumedPart): Promise<number> {
    return service.prisma.$transaction(async (transaction) => {
      const locked = await transaction.$queryRaw<{ id: string }[]>`
        SELECT id FROM connection WHERE ${ownedBy(group)} AND id = ANY(${idsOf(group)}::uuid[]) FOR UPDATE SKIP LOCKED`;
      this.#skipped += group.rows.length - locked.length;
      const rows = await transaction.connection.findMany({
        where: { applicationId: { in: [...group.applicationIds] }, id: { in: locked.map(({ id }) => id) } },
        select: { id: true, ...PLANNED },
      });
      const moved = rows.flatMap(({ id, ...row }) => {
        const dates = datesOf(service, row, part);
        return dates === null ? [] : [{ id, scan: dates.nextScanAt, profile: dates.nextProfileAt }];
      });
      return transaction.$executeRaw`
        UPDATE connection SET next_scan_at = moved.scan, next_profile_at = moved.profile
          FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS moved(id uuid, scan timestamptz, profile timestamptz)
         WHERE ${ownedBy(group)} AND connection.id = ANY(${idsOf(group)}::uuid[]) AND connection.id = moved.id`;
    });
  }
}

const PLANNED = {
  status: true,
  syncStatus: true,
  nextScanAt: true,
  nextProfileAt: true,
  nextRetryAt: true,
  lastSuccessfulSyncAt: true,
  profileObservedAt: true,
  createdAt: true,
} as const;

type Planned = Parameters<typeof catchUpDates>[0];

function datesOf(service: Service, connection: Planned, { now }: ResumedPart) {
  return catchUpDates(connection, soon(service, now), addMs(now, RESUMED_WITHIN_MS));
}
