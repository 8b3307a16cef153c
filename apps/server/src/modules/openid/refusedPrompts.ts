import { addMs, hasPassed } from "@social-connect/domain";
import type { IssuerAccess } from "../service.ts";

const REMEMBERED_MS = 24 * 60 * 60_000;

/**
 * The prompts that an issuer refused, and until when they are omitted. Per process: another process asks once more, and then
 * remembers it too.
 */
const refused = new WeakMap<IssuerAccess, Map<string, Date>>();

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

export function rememberRefusedPrompt(issuer: IssuerAccess, prompt: string, now: Date): void {
  const prompts = refused.get(issuer) ?? new Map<string, Date>();
  refused.set(issuer, prompts.set(prompt, addMs(now, REMEMBERED_MS)));
}

export function isPromptRefused(issuer: IssuerAccess, prompt: string, now: Date): boolean {
  const until = refused.get(issuer)?.get(prompt);
  return until !== undefined && !hasPassed(until, now);
}
