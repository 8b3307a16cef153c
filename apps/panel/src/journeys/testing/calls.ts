import { ROLLUP_SERIES } from "@social-connect/domain";
import type { TestService } from "./server.ts";

/** Seven calls of a client with a version of the SDK, in this hour. */
export async function plantCalls({ prisma, clock }: TestService, ownerId: string, version: string): Promise<void> {
  const now = await clock.now();
  const startsAt = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const labels = { seconds: 3_600, provider: "", outcome: "", kind: "sdk", code: version };
  await prisma.rollup.create({
    data: { series: ROLLUP_SERIES.clientVersions, ...labels, ownerId, startsAt, count: 7 },
  });
}
