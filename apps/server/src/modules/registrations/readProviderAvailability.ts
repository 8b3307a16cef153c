import type { RegistrationStatus, SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { Service } from "../service.ts";

export interface ProviderAvailability {
  readonly provider: SocialProvider;
  readonly available: boolean;
  /** Why not: there is no registration, or the one that is nearest to serving is in this status. */
  readonly reason: "NO_REGISTRATION" | "REGISTRATION_DRAFT" | "REGISTRATION_PAUSED" | "REGISTRATION_DISABLED" | null;
}

const NEAREST_FIRST = ["PAUSED", "DRAFT", "DISABLED"] as const satisfies readonly RegistrationStatus[];

/** Whether the deployment has a published registration at each provider. Which clients it serves is another question. */
export async function readProviderAvailability({ prisma }: Service): Promise<ProviderAvailability[]> {
  const rows = await prisma.providerRegistration.findMany({
    distinct: ["provider", "status"],
    select: { provider: true, status: true },
  });
  return SOCIAL_PROVIDERS.map((provider) => {
    const statuses = rows.filter((row) => row.provider === provider).map(({ status }) => status);
    if (statuses.includes("PUBLISHED")) return { provider, available: true, reason: null };
    const nearest = NEAREST_FIRST.find((status) => statuses.includes(status));
    return { provider, available: false, reason: nearest ? `REGISTRATION_${nearest}` : "NO_REGISTRATION" };
  });
}
