import { ProviderError } from "../contract.ts";
import { errorLabel } from "../errorLabel.ts";
import type { HttpAnswer } from "../httpJson.ts";
import { isRecord } from "../lenient.ts";
import type { GrantType } from "../oauth.ts";
import { oauthFailure } from "../oauth.ts";

const DEAD_TOKEN = ["access_token_invalid", "access_token_expired", "invalid_token", "token_invalid", "token_expired"];
const SCOPE = ["scope_not_authorized", "scope_permission_missed", "insufficient_scope"];
const LATER = ["internal_error", "server_error", "temporarily_unavailable", "service_unavailable", "timeout"];

/**
 * The failure that an answer of the read API tells of; null for one that succeeded. The envelope decides before the
 * status does: a success says `error.code` "ok", and a refusal can come with HTTP 200.
 */
export function readFailure(answer: HttpAnswer): ProviderError | null {
  const code = errorCode(answer.body);
  if (answer.ok && code === null && hasData(answer.body)) return null;
  const message = `read refused: ${errorLabel(code)} (HTTP ${answer.status})`;
  const refusal = { status: answer.status, code };
  const later = { retryAfterSeconds: answer.retryAfterSeconds, refusal };
  if (answer.status === 429 || code === "rate_limit_exceeded") return new ProviderError("rate_limited", message, later);
  if (answer.status >= 500 || LATER.includes(code ?? "")) return new ProviderError("unavailable", message, later);
  if (SCOPE.includes(code ?? "")) return new ProviderError("scope_missing", message, { refusal });
  if (DEAD_TOKEN.includes(code ?? "") || answer.status === 401)
    return new ProviderError("access_expired", message, { refusal });
  if (code === null) return new ProviderError("unavailable", message, later);
  return new ProviderError("rejected", message, { refusal });
}

function hasData(body: unknown): boolean {
  const data = isRecord(body) ? body.data : undefined;
  return isRecord(data) && (data.videos == null || Array.isArray(data.videos));
}

/** The failure of a token or revocation answer; those are flat, and can come with HTTP 200. */
export function tokenFailure(answer: HttpAnswer, grantType: GrantType | "revocation"): ProviderError {
  return oauthFailure(errorCode(answer.body), answer, grantType);
}

/** True when a revocation was refused because the token no longer lives. */
export function saysTokenIsDead(answer: HttpAnswer): boolean {
  const code = errorCode(answer.body);
  return code !== null && [...DEAD_TOKEN, "invalid_grant"].includes(code);
}

/** The code of `{error: {code}}`, of the flat `{error}` or of the older `{data: {error_code}}`; null for a success. */
export function errorCode(body: unknown): string | null {
  if (!isRecord(body)) return null;
  const { error, data } = body;
  return codeIn(isRecord(error) ? error.code : error) ?? codeIn(isRecord(data) ? data.error_code : null);
}

function codeIn(code: unknown): string | null {
  if (typeof code === "number") return code === 0 ? null : String(code);
  const name = typeof code === "string" ? code.toLowerCase() : "";
  return ["", "ok", "0"].includes(name) ? null : name;
}
