import type { SocialProvider } from "@social-connect/contract";
import { describeAnswer, type IncidentCause, type ProviderFault } from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";

interface NotedAt {
  readonly provider: SocialProvider;
  readonly registrationId: string;
}

/** Notes how the provider described the failure of a read, for an incident that continues. */
export async function noteAnswer(service: Pick<Service, "prisma">, at: NotedAt, answer: string): Promise<void> {
  const { provider, registrationId } = at;
  const ofProvider = { provider, cause: "PROVIDER_CALLS_FAIL" satisfies IncidentCause };
  const ofJobs = { provider, cause: "JOBS_FAIL" satisfies IncidentCause, detail: "UPSTREAM_UNAVAILABLE" };
  const ofClient = { registrationId, cause: "APPLICATION_REFUSED" satisfies IncidentCause };
  await note(service, [ofProvider, ofJobs, ofClient], answer);
}

/** The same for a connect attempt that failed. */
export async function noteAttemptAnswer(
  service: Pick<Service, "prisma">,
  { provider, resultCode: detail }: { readonly provider: SocialProvider; readonly resultCode: string | null },
  answer: string | null,
): Promise<void> {
  if (detail === null || answer === null) return;
  await note(service, [{ provider, cause: "CONNECT_ATTEMPTS_FAIL" satisfies IncidentCause, detail }], answer);
}

async function note(
  { prisma }: Pick<Service, "prisma">,
  of: Prisma.IncidentWhereInput[],
  answer: string,
): Promise<void> {
  const isOther = { OR: [{ answer: null }, { answer: { not: answer } }] };
  await prisma.incident.updateMany({ where: { endedAt: null, AND: [{ OR: of }, isOther] }, data: { answer } });
}

/** How the provider described a failure; null if it did not. */
export function answerOfFault({ refusal = null, message }: ProviderFault): string | null {
  return refusal === null ? (message ?? null) : `HTTP ${refusal.status}, ${describeAnswer(refusal)}`;
}
