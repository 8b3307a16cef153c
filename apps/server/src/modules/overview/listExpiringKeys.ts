import { addMs } from "@social-connect/domain";
import type { AdminApiKey, ApplicationKey } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";

export interface ExpiringCredential extends ApplicationKey {
  readonly application: { readonly id: string; readonly slug: string };
}

type Reader = Pick<Service, "prisma" | "clock">;

/** How long before its end a key is worth a word. */
const EXPIRES_SOON_MS = 14 * 86_400_000;
/** Most keys that are named; who has more to renew than this sees the lists. */
const MOST_NAMED = 50;
const FIRST_TO_END = [{ expiresAt: "asc" as const }, { id: "asc" as const }];

/** Admin keys that are good and end within two weeks. */
export async function listExpiringApiKeys({ prisma, clock }: Reader): Promise<AdminApiKey[]> {
  return prisma.adminApiKey.findMany({
    where: { ...endsSoon(await clock.now()), memberId: { not: null } },
    orderBy: FIRST_TO_END,
    take: MOST_NAMED,
  });
}

/** Application keys of enabled clients that are good and end within two weeks. */
export async function listExpiringCredentials({ prisma, clock }: Reader): Promise<ExpiringCredential[]> {
  return prisma.applicationKey.findMany({
    where: { ...endsSoon(await clock.now()), application: { enabled: true } },
    include: { application: { select: { id: true, slug: true } } },
    orderBy: FIRST_TO_END,
    take: MOST_NAMED,
  });
}

function endsSoon(now: Date) {
  return { revokedAt: null, expiresAt: { gt: now, lte: addMs(now, EXPIRES_SOON_MS) } };
}
