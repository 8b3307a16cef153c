import type { SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { UnavailableReason } from "@social-connect/domain";
import { unavailableReason } from "@social-connect/domain";
import type { Service } from "../service.ts";

export interface ProviderAvailability {
  readonly provider: SocialProvider;
  readonly available: boolean;
  readonly reason: UnavailableReason | null;
}

/** Whether the deployment has a published registration at each provider. Which clients it serves is another question. */
export async function readProviderAvailability({ prisma }: Service): Promise<ProviderAvailability[]> {
  const rows = await prisma.providerRegistration.findMany({
    distinct: ["provider", "status"],
    select: { provider: true, status: true },
  });
  return SOCIAL_PROVIDERS.map((provider) => {
    const reason = unavailableReason(rows.filter((row) => row.provider === provider).map(({ status }) => status));
    return { provider, available: reason === null, reason };
  });
}
