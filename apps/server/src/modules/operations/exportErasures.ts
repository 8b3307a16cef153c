import { purgeBefore } from "@social-connect/domain";
import { ERASURE_EVENTS } from "../../platform/log/telemetry.ts";
import type { Service } from "../service.ts";
import { LOWEST_ID } from "../sweeps/sweep.ts";
import type { ErasureEntry } from "./erasureJournal.ts";

const BATCH = 1_000;
const ENTRY = { id: true, createdAt: true, connectionId: true, applicationId: true, provider: true } as const;

/**
 * The time from which the database has every erasure, because receipts are deleted after a week.
 *
 * @throws if `since` is before it: an incomplete export would resemble a complete one
 */
export async function exportableSince({ clock }: Pick<Service, "clock">, since: Date | null): Promise<Date> {
  const oldest = purgeBefore("receipt", await clock.now());
  if (since !== null && since < oldest) {
    throw new Error(
      `the database has the erasures since ${oldest.toISOString()} only. ` +
        "Take older ones from the log, or export since that time",
    );
  }
  return since ?? oldest;
}

/** Every erasure that was requested since a time, whether it is completed or not; the oldest first. */
export async function* exportErasures(
  { prisma }: Pick<Service, "prisma">,
  since: Date,
): AsyncGenerator<ErasureEntry, void, undefined> {
  let after = { createdAt: since, id: LOWEST_ID };
  for (;;) {
    const { createdAt, id } = after;
    const receipts = await prisma.job.findMany({
      where: { kind: "ERASE", OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: BATCH,
      select: ENTRY,
    });
    for (const { createdAt: time, connectionId, applicationId, provider } of receipts) {
      yield { event: ERASURE_EVENTS.requested, time, connectionId, applicationId, provider };
    }
    const last = receipts.at(-1);
    if (last === undefined || receipts.length < BATCH) return;
    after = last;
  }
}
