import { accepted, decideSetQuota, type QuotaInput, shownQuota } from "@social-connect/domain";
import { readQuota } from "../../providers/registration.ts";
import { SYSTEM } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { readQuotaUse } from "../quota/readQuotaUse.ts";
import { lockRegistration, setRegistrationQuota } from "../registrations/changeRegistration.ts";
import type { Service } from "../service.ts";

/** Every registration's quota, and what its clients used in the current window. */
export async function readQuotas(service: Service) {
  const registrations = await service.prisma.providerRegistration.findMany({
    orderBy: [{ provider: "asc" }, { createdAt: "asc" }],
  });
  return Promise.all(
    registrations.map(async (registration) => {
      const { id: registrationId, provider, status } = registration;
      const uses = await readQuotaUse(service, registration);
      return { registrationId, provider, status, quota: quotaOf(service, registration), uses };
    }),
  );
}

/** Replaces a registration's own quota and returns the quota that applies. With `dryRun` nothing changes. */
export async function setQuota(service: Service, id: string, input: QuotaInput | null, dryRun: boolean) {
  if (!dryRun) return quotaOf(service, await setRegistrationQuota(service, SYSTEM, id, input));
  return adminTransaction(service, async (transaction) => {
    const registration = await lockRegistration(transaction, id);
    const { patch, audit } = accepted(decideSetQuota(registration, input));
    const { provider } = await transaction.providerRegistration.findUniqueOrThrow({ where: { id: audit.target.id } });
    return quotaOf(service, { provider, quota: patch.quota });
  });
}

function quotaOf(
  { provider }: Service,
  registration: { readonly provider: Parameters<Service["provider"]>[0]; readonly quota: unknown },
) {
  return shownQuota(readQuota(provider(registration.provider).traits.quota, registration.quota));
}
