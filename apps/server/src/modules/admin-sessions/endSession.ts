import type { SessionActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";

/** Signs out: the cookie that is left in the browser, or in anybody's hands, opens nothing any more. */
export async function endSession({ prisma }: Pick<Service, "prisma">, { sessionId }: SessionActor): Promise<void> {
  await prisma.adminSession.deleteMany({ where: { id: sessionId } });
}
