import { boundedSeconds } from "@social-connect/domain";
import type { z } from "zod";
import { coerceNumber, isRecord } from "../coerce.ts";
import { ProviderError, type Refusal } from "../contract.ts";
import { errorLabel } from "../errorLabel.ts";
import { parseExactJson } from "../exactJson.ts";
import { type HttpAnswer, refusalOf } from "../httpJson.ts";
import { errorWire } from "./wire.ts";

/** An error body's codes; its messages vary and are used for only one distinction. */
export interface GraphError {
  readonly code: number | null;
  readonly subcode: number | null;
  readonly type: string | null;
  readonly transient: boolean;
  readonly message: string;
}

/** App, account, page and custom limits, and the business-use-case limits. */
const RATE_CODES = new Set([4, 17, 32, 341, 613]);
const isRateCode = (code: number) => RATE_CODES.has(code) || (code >= 80_000 && code <= 80_014);
/**
 * 190 with these: the user removed the app (458), must log in (459), changed the password (460), is unconfirmed (464).
 */
const GRANT_ENDED = new Set([458, 459, 460, 464]);
const REMOVED_APP = 458;
const POSTED_BEFORE_PROFESSIONAL = 2_108_006;
/** A client error, or an object that is deleted or not accessible. */
const INVALID_PARAMETER = 100;
const DEPRECATED = 12;
/** The application lacks a capability, cannot be validated, or calls from an address that it does not allow. */
const APPLICATION_CODES = new Set([3, 5, 101]);
/** Codes of a refused application and of a missing permission are the same; the messages can differ. */
const APPLICATION_MESSAGE =
  /API access (?:is |has been |was )?(?:blocked|disabled|disrupted|deactivated|restricted|revoked|suspended)|validating application|invalid application|(?:app|application|developer) (?:is |has been |was )?(?:not active|inactive|disabled|deactivated|deleted|blocked|restricted|suspended|unpublished|not live|(?:still )?in (?:development|dev) mode|not in live mode)|(?:app review|business verification|data use checkup)|\b(?:advanced|standard) access\b|insufficient developer role/i;
/** The person did not grant, or withdrew. */
const PERSON_MESSAGE =
  /\b(?:user|person|account owner)\b.{0,20}(?:\bnot\b|n't\b|\bnever\b).{0,10}\b(?:authori[sz]ed|granted|consented|allowed)\b|\b(?:declined|revoked|denied|withdr[ae]wn?) by the (?:user|person|account owner)\b/i;
/** The account is restricted. */
const ACCOUNT_SUBCODES = new Set([2_207_050]);
/** An account that is no longer professional has no separate code. */
const ACCOUNT_MESSAGE =
  /\bnot (?:an? )?(?:instagram )?(?:business|professional|creator)|(?:must be|requires|convert(?:ed)? to) an? (?:instagram )?(?:business|professional)|(?:account|user) (?:is |has been |was )?(?:banned|blocked|closed|disabled|suspended|deactivated|deleted|restricted)/i;
/** The refusal of a post that was published before the account was professional; its subcode can be missing. */
const POSTED_BEFORE_MESSAGE = /\bmedia\b.{0,40}\bbefore\b.{0,100}\b(?:business|professional)\b/i;
/** Temporary errors of the provider (-1, 1, 2), and a temporarily blocked user (368). */
const LATER_CODES = new Set([-1, 1, 2, 368]);

/**
 * The failure that a graph response reports; null for a success, which is a JSON object without an error. `isGranted`: the
 * person granted the permission that the call needs.
 */
export function readFailure(answer: HttpAnswer, isGranted: boolean): ProviderError | null {
  const error = graphError(answer.body);
  if (answer.ok && error === null && isRecord(answer.body)) return null;
  const message = `read refused: ${describe(error)} (HTTP ${answer.status})`;
  const refusal = refusalOf(answer, codeOf(error));
  const later = { retryAfterSeconds: waitSeconds(answer), refusal };
  const code = error?.code ?? null;
  // The code takes precedence over type and status: a limit is sent as 403 with the type of an invalid token.
  const limited = (code !== null && isRateCode(code)) || /RateLimit/i.test(error?.type ?? "");
  if (limited) return new ProviderError("rate_limited", message, { ...later, retryAfterSeconds: limitSeconds(answer) });
  if (error !== null && isOfApplication(error)) return new ProviderError("application_refused", message, later);
  if (error !== null && isOfAccount(error)) return new ProviderError("account_unreadable", message, { refusal });
  if (code === 190 || code === 102) return deadToken(error, message, refusal);
  if (error?.transient || (code !== null && LATER_CODES.has(code))) {
    return new ProviderError("unavailable", message, { ...later, isTransient: error?.transient ?? false });
  }
  if (error !== null && isMissingPermission(error)) {
    // The code does not say whose permission is missing. If the person granted it, the application lacks it.
    const isOfPerson = !isGranted || PERSON_MESSAGE.test(error.message);
    return new ProviderError(
      isOfPerson ? "scope_missing" : "application_refused",
      message,
      isOfPerson ? { refusal } : later,
    );
  }
  if (code === INVALID_PARAMETER) return new ProviderError("rejected", message, { refusal });
  if (answer.status === 429) return new ProviderError("rate_limited", message, later);
  if (error === null || answer.status >= 500) return new ProviderError("unavailable", message, later);
  if (answer.status === 401) return new ProviderError("access_expired", message, { refusal });
  return new ProviderError("rejected", message, { refusal });
}

/** A refusal of the code exchange or of a long-lived token; `renewal`: an existing grant is affected. */
export function tokenFailure(answer: HttpAnswer, renewal: boolean): ProviderError {
  const failure =
    readFailure(answer, renewal) ??
    new ProviderError("unavailable", `token answer without a token (HTTP ${answer.status})`, {
      refusal: { status: answer.status, code: null },
    });
  // Code 1 is used for any error; only the message shows that the client secret was wrong.
  if (/client secret/i.test(graphError(answer.body)?.message ?? "")) {
    return new ProviderError("rejected", failure.message, { refusal: failure.refusal });
  }
  if (failure.kind !== "access_expired") return failure;
  // An expired long-lived token cannot be renewed; at an exchange there is no grant yet.
  return new ProviderError(renewal ? "grant_gone" : "rejected", failure.message, { refusal: failure.refusal });
}

export function graphError(body: unknown): GraphError | null {
  if (!isRecord(body)) return null;
  const wire = errorWire.parse(body);
  if (isRecord(body.error)) return fromGraph(wire.error);
  if (typeof body.error === "string" && body.error !== "") {
    return { code: null, subcode: null, type: body.error, transient: false, message: "" };
  }
  if (wire.error_type === null && wire.error_message === null) return null;
  return { code: wire.code, subcode: null, type: wire.error_type, transient: false, message: wire.error_message ?? "" };
}

/** The application is blocked, under review or misconfigured: no person can change that. */
function isOfApplication({ code, message }: GraphError): boolean {
  return code !== null && (APPLICATION_CODES.has(code) || APPLICATION_MESSAGE.test(message));
}

/** A post that was published before the account was professional has no numbers. */
export function isPostedBeforeProfessional({ subcode, message }: GraphError): boolean {
  return subcode === POSTED_BEFORE_PROFESSIONAL || POSTED_BEFORE_MESSAGE.test(message);
}

function isOfAccount(error: GraphError): boolean {
  const { code, subcode, message, transient } = error;
  if (transient || code === null || LATER_CODES.has(code)) return false;
  if (isPostedBeforeProfessional(error)) return false;
  return ACCOUNT_SUBCODES.has(subcode ?? 0) || ACCOUNT_MESSAGE.test(message);
}

/** The page is too large; the provider names no size that it accepts. */
export function isTooMuchData(answer: HttpAnswer): boolean {
  return answer.status === 413 || /reduce the amount of data/i.test(graphError(answer.body)?.message ?? "");
}

/** The message of a refusal that concerns a requested field; null for any other response. */
export function fieldRefusal(answer: HttpAnswer): string | null {
  const error = graphError(answer.body);
  if (error === null || error.code === null || error.transient) return null;
  const mayBeOfField = error.code === INVALID_PARAMETER || error.code === DEPRECATED || isMissingPermission(error);
  return mayBeOfField && /\bfields?\b/i.test(error.message) ? error.message : null;
}

/** A cursor can end when its post is deleted. The code is that of any bad parameter. */
export function isInvalidCursor(answer: HttpAnswer): boolean {
  const error = graphError(answer.body);
  return error?.code === INVALID_PARAMETER && /cursor|\bafter\b|paging/i.test(error.message);
}

/**
 * The object does not exist, or is not accessible, also temporarily: the provider does not distinguish them, so this
 * proves neither.
 */
export function isMissingObject(error: GraphError | null): boolean {
  if (error === null || error.transient) return false;
  if (error.code === 803) return true;
  return error.code === INVALID_PARAMETER && (error.subcode === 33 || MISSING_MESSAGE.test(error.message));
}
const MISSING_MESSAGE = /does not exist, cannot be loaded/i;

/** A permission is missing, the person's or the application's; code 10 is also sent for insights with too few viewers. */
export function isMissingPermission({ code }: GraphError): boolean {
  return code !== null && (code === 10 || (code >= 200 && code <= 299));
}

function fromGraph(wire: z.output<typeof errorWire>["error"]): GraphError {
  return {
    code: wire.code,
    subcode: wire.error_subcode,
    type: wire.type,
    transient: wire.is_transient,
    message: wire.message ?? "",
  };
}

function deadToken(error: GraphError | null, message: string, refusal: Refusal): ProviderError {
  const subcode = error?.subcode ?? null;
  if (subcode === null || !GRANT_ENDED.has(subcode)) return new ProviderError("access_expired", message, { refusal });
  return new ProviderError("grant_gone", message, { appRemoved: subcode === REMOVED_APP, refusal });
}

/** As operators look it up: 100 or 100.33. */
function codeOf(error: GraphError | null): string | null {
  if (error === null || error.code === null) return error?.type ?? null;
  return [error.code, error.subcode].filter((part) => part !== null).join(".");
}

function describe(error: GraphError | null): string {
  const parts = [error?.type, error?.code, error?.subcode].filter((part) => part !== null && part !== undefined);
  return parts.length === 0 ? errorLabel(null) : parts.map(errorLabel).join(" ");
}

/** The largest share in X-Business-Use-Case-Usage and X-App-Usage, which have percentages; 1 while access is blocked. */
export function usedShare(headers: Headers): number | null {
  const application = parseExactJson(headers.get("x-app-usage") ?? "");
  const entries = [...usageEntries(headers), ...(isRecord(application) ? [application] : [])];
  const percents = entries.flatMap((entry) => {
    const withheld = (coerceNumber.parse(entry.estimated_time_to_regain_access) ?? 0) > 0 ? [100] : [];
    return [entry.call_count, entry.total_cputime, entry.total_time, ...withheld];
  });
  const known = percents.map((value) => coerceNumber.parse(value) ?? -1).filter((value) => value >= 0);
  return known.length === 0 ? null : Math.max(...known) / 100;
}

/** The header's value is JSON: { <account>: [{ type, call_count, … }] }. */
function usageEntries(headers: Headers): Record<string, unknown>[] {
  const usage = parseExactJson(headers.get("x-business-use-case-usage") ?? "");
  return isRecord(usage) ? Object.values(usage).flat().filter(isRecord) : [];
}

/** The provider counts calls within a rolling hour, and not every response says how much of it is left. */
const LIMIT_WINDOW_SECONDS = 3_600;

function limitSeconds(answer: HttpAnswer): number | null {
  // A response with the header states the wait, and a wait of zero counts.
  return waitSeconds(answer) ?? (usageEntries(answer.headers).length > 0 ? null : LIMIT_WINDOW_SECONDS);
}

/** Retry-After, or the longest wait in X-Business-Use-Case-Usage, in minutes there. */
function waitSeconds(answer: HttpAnswer): number | null {
  if (answer.retryAfterSeconds !== null) return answer.retryAfterSeconds;
  const minutes = usageEntries(answer.headers)
    .map((entry) => entry.estimated_time_to_regain_access)
    .filter((value) => typeof value === "number");
  const longest = Math.max(0, ...minutes);
  return longest > 0 ? boundedSeconds(longest * 60) : null;
}
