import { addMs, hasPassed } from "@social-connect/domain";
import type { IssuerAccess, Service } from "../service.ts";

const REMEMBERED_MS = 24 * 60 * 60_000;

/** Errors of an authorization response that say nothing about the prompt (RFC 6749 4.1.2.1). */
const OTHER_ERRORS: readonly string[] = [
  "access_denied",
  "server_error",
  "temporarily_unavailable",
  "invalid_scope",
  "invalid_client",
  "unauthorized_client",
  "unsupported_response_type",
];

/**
 * Whether an issuer's response refuses the prompt of the request: `invalid_request`, or a code of OpenID Connect Core 3.1.2.6
 * such as `interaction_required` or `account_selection_required`.
 */
export function refusesPrompt(query: URLSearchParams, prompt: string | null): boolean {
  const [error, ...others] = query.getAll("error");
  return prompt !== null && error !== undefined && others.length === 0 && !OTHER_ERRORS.includes(error);
}

/** For every process: a load balancer may send the next request of the same person to another one. */
export async function rememberRefusedPrompt(
  service: Service,
  { url: issuer }: IssuerAccess,
  prompt: string,
  now: Date,
) {
  const until = addMs(now, REMEMBERED_MS);
  await service.prisma.refusedPrompt.upsert({
    where: { issuer_prompt: { issuer, prompt } },
    create: { issuer, prompt, until },
    update: { until },
  });
}

export async function isPromptRefused(service: Service, { url: issuer }: IssuerAccess, prompt: string, now: Date) {
  const found = await service.prisma.refusedPrompt.findUnique({ where: { issuer_prompt: { issuer, prompt } } });
  return found !== null && !hasPassed(found.until, now);
}
