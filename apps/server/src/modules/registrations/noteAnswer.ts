import { describeAnswer, type IncidentCause, type ProviderFault } from "@social-connect/domain";
import type { ConnectAttempt, Connection, Prisma } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";

/** Notes how the provider described the failure of a read, for incidents of the registration that continue. */
export async function noteAnswer(
  service: Pick<Service, "prisma">,
  { registrationId }: Pick<Connection, "registrationId">,
  answer: string,
): Promise<void> {
  const ofCalls = { cause: "PROVIDER_CALLS_FAIL" satisfies IncidentCause };
  const ofJobs = { cause: "JOBS_FAIL" satisfies IncidentCause, detail: "UPSTREAM_UNAVAILABLE" };
  const ofClient = { cause: "APPLICATION_REFUSED" satisfies IncidentCause };
  await note(service, { registrationId, OR: [ofCalls, ofJobs, ofClient] }, answer);
}

/** The same for a connect attempt that failed. */
export async function noteAttemptAnswer(
  service: Pick<Service, "prisma">,
  { registrationId, resultCode: detail }: Pick<ConnectAttempt, "registrationId" | "resultCode">,
  answer: string | null,
): Promise<void> {
  if (detail === null || answer === null) return;
  await note(service, { registrationId, cause: "CONNECT_ATTEMPTS_FAIL" satisfies IncidentCause, detail }, answer);
}

async function note({ prisma }: Pick<Service, "prisma">, of: Prisma.IncidentWhereInput, answer: string): Promise<void> {
  const isOther = { OR: [{ answer: null }, { answer: { not: answer } }] };
  await prisma.incident.updateMany({ where: { endedAt: null, AND: [of, isOther] }, data: { answer } });
}

/** How the provider described a failure; null if it did not. */
export function answerOfFault({ refusal = null, message }: ProviderFault): string | null {
  return refusal === null ? (message ?? null) : `HTTP ${refusal.status}, ${describeAnswer(refusal)}`;
}
