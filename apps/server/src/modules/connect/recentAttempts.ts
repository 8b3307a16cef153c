import type { RecentAttempts } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import type { Transaction } from "../service.ts";

/** Uses the index by status and deadline. Takes no lock, so calls that run at the same time can exceed a limit by their number. */
export async function findRecentAttempts(
  transaction: Transaction,
  table: "connect_attempt" | "identity_attempt",
  applicationId: string,
  now: Date,
): Promise<RecentAttempts> {
  const status = Prisma.raw(table === "connect_attempt" ? "connect_attempt_status" : "identity_attempt_status");
  const [row] = await transaction.$queryRaw<RecentAttempts[]>`
    SELECT count(*)::int AS count, min(expires_at) AS "oldestDeadline" FROM ${Prisma.raw(table)}
     WHERE status = ANY (array_remove(enum_range(NULL::${status}), 'COMPLETED')) AND expires_at > ${now} AND application_id = ${applicationId}::uuid`;
  return row ?? { count: 0, oldestDeadline: null };
}
