import { isAccountCode, isApplicationCode } from "../accountState.ts";
import { isRecord } from "../coerce.ts";
import { ProviderError, type ProviderErrorKind } from "../contract.ts";
import { errorLabel } from "../errorLabel.ts";
import { type HttpAnswer, refusalOf } from "../httpJson.ts";
import { type GrantType, oauthFailure } from "../oauth.ts";

/** Fields need further scopes. The code does not say who has to give them: the person, or the provider to the application. */
const SCOPE_MISSED = "scope_permission_missed";

/** The meaning of each documented code, in any response format and with any status. */
const KINDS: Readonly<Record<string, ProviderErrorKind>> = {
  access_token_invalid: "access_expired",
  access_token_expired: "access_expired",
  invalid_token: "access_expired",
  token_invalid: "access_expired",
  token_expired: "access_expired",
  scope_not_authorized: "scope_missing",
  insufficient_scope: "scope_missing",
  [SCOPE_MISSED]: "scope_missing",
  rate_limit_exceeded: "rate_limited",
  internal_error: "unavailable",
  server_error: "unavailable",
  temporarily_unavailable: "unavailable",
  service_unavailable: "unavailable",
  timeout: "unavailable",
  reached_active_user_cap: "application_refused",
  // Permanent errors of the client.
  invalid_params: "rejected",
  invalid_request: "rejected",
  invalid_scope: "rejected",
};

/**
 * The failure that a read API response reports; null for a success. The code decides, in the envelope or the flat form,
 * then the HTTP status: a success has `error.code` "ok", and an error can have HTTP 200. `isGranted`: the person granted
 * the scopes that the call needs.
 */
export function readFailure(answer: HttpAnswer, isGranted: boolean): ProviderError | null {
  const code = errorCode(answer.body);
  if (answer.ok && code === null && hasData(answer.body)) return null;
  const kindOfRefusal = isGranted && code === SCOPE_MISSED ? "application_refused" : kindOfCode(code);
  const kind = kindOfRefusal ?? kindOfStatus(answer.status) ?? (code === null ? "unavailable" : "rejected");
  return new ProviderError(kind, `read refused: ${errorLabel(code)} (HTTP ${answer.status})`, {
    retryAfterSeconds: answer.retryAfterSeconds,
    refusal: refusalOf(answer, code),
  });
}

/** The message, which rarely names a field, of a refusal that can concern a requested field; null for any other response. */
export function fieldRefusal({ body }: HttpAnswer): string | null {
  if (!isRecord(body) || errorCode(body) !== "invalid_params") return null;
  const { message } = isRecord(body.error) ? body.error : { message: body.error_description };
  return typeof message === "string" ? message : "";
}

/** As `fieldRefusal`, of fields with different scopes. */
export function scopedFieldRefusal(answer: HttpAnswer): string | null {
  const isOfScope = ["scope_not_authorized", SCOPE_MISSED].includes(errorCode(answer.body) ?? "");
  return isOfScope ? "" : fieldRefusal(answer);
}

function kindOfCode(code: string | null): ProviderErrorKind | null {
  if (code === null) return null;
  if (isApplicationCode(code)) return "application_refused";
  if (isAccountCode(code)) return "account_unreadable";
  return Object.hasOwn(KINDS, code) ? (KINDS[code] ?? null) : null;
}

function kindOfStatus(status: number): ProviderErrorKind | null {
  if (status === 429) return "rate_limited";
  if (status >= 500 || status === 408) return "unavailable";
  return status === 401 ? "access_expired" : null;
}

function hasData(body: unknown): boolean {
  const data = isRecord(body) ? body.data : undefined;
  return isRecord(data) && (data.videos == null || Array.isArray(data.videos));
}

/**
 * The failure of a token or revocation response, which is flat and can have HTTP 200. Read API codes mean the same
 * here, except an invalid access token: a refresh sends none, so it refuses the call.
 */
export function tokenFailure(answer: HttpAnswer, grantType: GrantType | "revocation"): ProviderError {
  const code = errorCode(answer.body);
  const failure = oauthFailure(code, answer, grantType);
  const kind = kindOfCode(code);
  if (kind === null || kind === "access_expired" || kind === failure.kind) return failure;
  const { message, retryAfterSeconds, refusal } = failure;
  return new ProviderError(kind, message, { retryAfterSeconds, refusal });
}

/** True when a revocation was refused because the token is no longer valid. */
export function isInvalidToken(answer: HttpAnswer): boolean {
  const code = errorCode(answer.body);
  return code === "invalid_grant" || kindOfCode(code) === "access_expired";
}

/**
 * The code of `{error: {code}}`, of the flat `{error}`, `{code}` or `{error_code}`, or of the older `{data: {error_code}}`;
 * null for a success.
 */
export function errorCode(body: unknown): string | null {
  if (!isRecord(body)) return null;
  const { error, data } = body;
  const named = codeIn(isRecord(error) ? error.code : error) ?? codeIn(isRecord(data) ? data.error_code : null);
  return named ?? codeIn(body.error_code) ?? codeIn(body.code);
}

function codeIn(code: unknown): string | null {
  if (typeof code === "number") return code === 0 ? null : String(code);
  const name = typeof code === "string" ? code.toLowerCase() : "";
  return ["", "ok", "0"].includes(name) ? null : name;
}
