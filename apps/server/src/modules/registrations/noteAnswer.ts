import type { SocialProvider } from "@social-connect/contract";
import type { IncidentCause } from "@social-connect/domain";
import type { Service } from "../service.ts";

/** Notes how the provider described the failure of a read, for an incident that continues. */
export async function noteAnswer(
  { prisma }: Pick<Service, "prisma">,
  { provider, registrationId }: { readonly provider: SocialProvider; readonly registrationId: string },
  answer: string,
): Promise<void> {
  const ofProvider = { provider, cause: "PROVIDER_CALLS_FAIL" satisfies IncidentCause };
  const ofJobs = { provider, cause: "JOBS_FAIL" satisfies IncidentCause, detail: "UPSTREAM_UNAVAILABLE" };
  const ofClient = { registrationId, cause: "APPLICATION_REFUSED" satisfies IncidentCause };
  await prisma.incident.updateMany({
    where: {
      endedAt: null,
      AND: [{ OR: [ofProvider, ofJobs, ofClient] }, { OR: [{ answer: null }, { answer: { not: answer } }] }],
    },
    data: { answer },
  });
}
