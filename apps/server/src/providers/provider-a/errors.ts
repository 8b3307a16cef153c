import { boundedSeconds, quotaWindow } from "@social-connect/domain";
import { isAccountCode, isApplicationCode } from "../accountState.ts";
import { coerceNumber, isRecord } from "../coerce.ts";
import { ProviderError } from "../contract.ts";
import { errorLabel } from "../errorLabel.ts";
import { type HttpAnswer, refusalOf } from "../httpJson.ts";
import { type GrantType, oauthFailure } from "../oauth.ts";

/** The project's daily quota. */
const DAILY = ["quotaexceeded", "dailylimitexceeded"];
const RATE = new Set([
  ...DAILY,
  "ratelimitexceeded",
  "userratelimitexceeded",
  "servinglimitexceeded",
  "concurrentlimitexceeded",
  "rate_limit_exceeded",
  "resource_exhausted",
]);
const SCOPE = new Set(["insufficientpermissions", "access_token_scope_insufficient", "insufficientscopes"]);
/** Permanent refusals, with any status: our own errors. */
const REFUSED = new Set(["badrequest", "invalidparameter", "missingrequiredparameter"]);
/** The account has no channel, or its organization does not allow the application. */
const ACCOUNT = new Set([
  "youtubesignuprequired",
  "authenticatedusernotchannel",
  "channelnotfound",
  "accountdelegationforbidden",
  "admin_policy_enforced",
  "user_blocked_by_admin",
  "org_restriction_violation",
  "domainpolicy",
  "access_not_configured",
]);
/** The project of the client is disabled, unpaid, or does not have this API. */
const APPLICATION = new Set([
  "accessnotconfigured",
  "service_disabled",
  "billing_disabled",
  "user_project_denied",
  "consumer_invalid",
  "keyinvalid",
  "keyexpired",
  "iprefererblocked",
  "ipreferrerblocked",
  "api_key_invalid",
  "api_key_service_blocked",
  "gcp_suspended",
  "resource_project_invalid",
  "service_not_visible",
  "org_internal",
]);
const LATER = new Set(["backenderror", "internalerror", "processingfailure", "unavailable", "internal"]);

/** The failure that a read API response at `now` reports; null for a readable list. */
export function readFailure(answer: HttpAnswer, now: Date): ProviderError | null {
  const reasons = errorReasons(answer.body);
  if (answer.ok && reasons === null && isList(answer.body)) return null;
  const names = (reasons ?? []).map((reason) => reason.toLowerCase());
  const status = effectiveStatus(answer);
  const message = `read refused: ${errorLabel(reasons?.[0])} (HTTP ${answer.status})`;
  const refusal = refusalOf(answer, reasons?.[0] ?? null);
  const later = { retryAfterSeconds: answer.retryAfterSeconds, refusal };
  // Reasons take precedence over the status: limits are sent as 403 with the reason in the body.
  const limited = names.some((name) => RATE.has(name));
  const challenge = answer.headers.get("www-authenticate") ?? "";
  if (!limited && (names.some((name) => SCOPE.has(name)) || challenge.includes("insufficient_scope"))) {
    return new ProviderError("scope_missing", message, { refusal });
  }
  if (!limited && names.some(concernsApplication)) return new ProviderError("application_refused", message, later);
  if (!limited && names.some(concernsAccount)) return new ProviderError("account_unreadable", message, { refusal });
  if (!limited && names.some((name) => REFUSED.has(name))) return new ProviderError("rejected", message, { refusal });
  const passes = names.some((name) => LATER.has(name));
  if (limited || (status === 429 && !passes)) {
    const retryAfterSeconds = waitSeconds(answer) ?? (isDailyLimit(answer, names) ? restOfDay(now) : null);
    return new ProviderError("rate_limited", message, { retryAfterSeconds, refusal });
  }
  if (passes || status >= 500) return new ProviderError("unavailable", message, later);
  if (status === 401) return new ProviderError("access_expired", message, { refusal });
  if (reasons === null || status === 408) return new ProviderError("unavailable", message, later);
  return new ProviderError("rejected", message, { refusal });
}

function concernsApplication(name: string): boolean {
  return APPLICATION.has(name) || isApplicationCode(name);
}

function concernsAccount(name: string): boolean {
  return ACCOUNT.has(name) || isAccountCode(name);
}

/** A spent day has its own reason, or the reason of a short limit with a `quota_limit` or `quota_unit` that names the day. */
function isDailyLimit({ body }: HttpAnswer, names: readonly string[]): boolean {
  if (names.some((name) => DAILY.includes(name))) return true;
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  return /per[\s_-]?day|daily|\b1\/d\//i.test(`${JSON.stringify(error.details ?? null)} ${String(error.message)}`);
}

/** Retry-After, or the delay of a `google.rpc.RetryInfo`, e.g. `12.5s`; null without either. */
function waitSeconds(answer: HttpAnswer): number | null {
  if (answer.retryAfterSeconds !== null) return answer.retryAfterSeconds;
  const error = isRecord(answer.body) ? answer.body.error : undefined;
  const details = isRecord(error) && Array.isArray(error.details) ? error.details.filter(isRecord) : [];
  const delay = details.find((detail) => detail["@type"] === "type.googleapis.com/google.rpc.RetryInfo")?.retryDelay;
  const seconds = typeof delay === "string" ? /^(\d{1,9}(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
  return seconds === undefined ? null : boundedSeconds(Number(seconds));
}

/** No response has the reset time of the daily quota, which is midnight in the Pacific time zone. */
function restOfDay(now: Date): number {
  return boundedSeconds((quotaWindow("pacific-day", now).endsAt.getTime() - now.getTime()) / 1_000);
}

/** A list may omit empty `items` but still has a kind; anything else is not a response to a read. */
function isList(body: unknown): boolean {
  if (!isRecord(body)) return false;
  if (body.items != null) return Array.isArray(body.items);
  return ["kind", "etag", "pageInfo"].some((key) => body[key] != null);
}

/** The status, or the one inside an error body sent with HTTP 200. */
function effectiveStatus(answer: HttpAnswer): number {
  const error = isRecord(answer.body) ? answer.body.error : undefined;
  const code = coerceNumber.parse(isRecord(error) ? error.code : undefined);
  return answer.ok && code !== null ? code : answer.status;
}

/** The message of a refusal that concerns `part`, e.g. of `unknownPart`; null for any other response. */
export function partRefusal({ body }: HttpAnswer): string | null {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const entries = Array.isArray(error.errors) ? error.errors.filter(isRecord) : [];
  const refused = entries.filter(({ location, reason }) => location === "part" || reason === "unknownPart");
  return refused.length === 0 ? null : [error, ...refused].map(({ message }) => String(message)).join(" ");
}

/** True when the response has this reason, e.g. `playlistNotFound`. */
export function hasReason(answer: HttpAnswer, reason: string): boolean {
  return errorReasons(answer.body)?.includes(reason) ?? false;
}

/** The failure of a token or revocation response without tokens. */
export function tokenFailure(answer: HttpAnswer, grantType: GrantType | "revocation"): ProviderError {
  const failure = oauthFailure(oauthErrorCode(answer.body), answer, grantType);
  if (failure.kind !== "rejected") return failure;
  // An error of this host in the read API's format can be a limit with status 403.
  const names = (errorReasons(answer.body) ?? []).map((reason) => reason.toLowerCase());
  const passing = { retryAfterSeconds: answer.retryAfterSeconds, refusal: failure.refusal };
  if (names.some(concernsApplication)) return new ProviderError("application_refused", failure.message, passing);
  if (names.some(concernsAccount)) return new ProviderError("account_unreadable", failure.message, passing);
  if (names.some((name) => RATE.has(name))) return new ProviderError("rate_limited", failure.message, passing);
  if (names.some((name) => LATER.has(name))) return new ProviderError("unavailable", failure.message, passing);
  return failure;
}

/**
 * `error` as a string (RFC 6749 5.2), or the status inside the read API's error object, which this host can also send.
 */
export function oauthErrorCode(body: unknown): string | null {
  const error = isRecord(body) ? body.error : undefined;
  if (typeof error === "string" && error !== "") return error;
  return errorReasons(body)?.[0]?.toLowerCase() ?? null;
}

/** Every machine-readable reason of an error body, the most specific first; null without an error object. */
function errorReasons(body: unknown): string[] | null {
  const error = isRecord(body) ? body.error : undefined;
  if (typeof error === "string") return error === "" ? null : [error];
  if (!isRecord(error)) return null;
  const entries = [error.errors, error.details].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []));
  const names = entries.map((entry) => (entry.domain === "youtube.quota" ? "quotaExceeded" : entry.reason));
  return [...names, error.status].filter((reason) => typeof reason === "string");
}
