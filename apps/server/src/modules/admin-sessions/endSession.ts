import type { SessionActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import type { Service } from "../service.ts";
import { recordSession } from "./recordSession.ts";

/** Signs out, with the audit entry: the cookie opens nothing any more, wherever it is replayed. */
export async function endSession(
  service: Pick<Service, "prisma" | "clock">,
  { sessionId, memberId, email }: SessionActor,
): Promise<void> {
  const now = await service.clock.now();
  await adminTransaction(service, async (transaction) => {
    const { count } = await transaction.adminSession.deleteMany({ where: { id: sessionId } });
    if (count > 0) await recordSession(transaction, { id: memberId, email }, "Admin signed out", now);
  });
}
