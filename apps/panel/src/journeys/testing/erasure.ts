import { runErase, type TestService } from "./server.ts";

/** Ends the revoke and runs the erase job of a disconnected connection. The panel's tests have no provider and no worker. */
export async function finishErasure(service: TestService, connectionId: string): Promise<void> {
  const { prisma, clock } = service;
  const { revokeJobId, eraseJobId } = await prisma.connection.findFirstOrThrow({ where: { id: connectionId } });
  const revoked = { status: "SUCCEEDED", finishedAt: clock.current } as const;
  await prisma.job.updateMany({ where: { id: revokeJobId ?? "" }, data: revoked });
  await prisma.revokeSettlement.deleteMany();
  await runErase(service, eraseJobId ?? "");
}
