import { type AdminErrorCode, type ErrorCode, LIMITS } from "@social-connect/contract";
import { AppError } from "@social-connect/domain";
import type { GraphQLError } from "graphql";
import { RefusedCallError, type SecurityRefusal } from "../../platform/log/refusedCallError.ts";
import { securityLog } from "../../platform/log/securityLog.ts";
import type { CallContext } from "./callContext.ts";

type Code = ErrorCode | AdminErrorCode;

/** How an API logs its calls. */
export interface ReportRules<Context> {
  readonly name: "consumer" | "admin" | "panel";
  /** The authenticated key or session, for the security log. */
  readonly callOf: (context: Context) => { readonly keyId: string | null; readonly sessionId: string | null };
  /** Who called, for the log. */
  readonly callerOf: (context: Context) => Readonly<Record<string, unknown>>;
  /** The authenticated application; null without one. */
  readonly applicationOf?: (context: Context) => string | null;
}

/**
 * Codes that reject a caller. The others report the state of a connection or of the service and are not security
 * events.
 */
const REFUSALS: ReadonlySet<string> = new Set<Code>([
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "BAD_USER_INPUT",
  "NOT_FOUND",
  "RATE_LIMITED",
]);

/** Records the result of a call by its masked errors. */
export function reportResult<Context extends CallContext>(
  context: Context,
  errors: readonly GraphQLError[],
  rules: ReportRules<Context>,
): void {
  const { service, correlationId, record } = context;
  record.applicationId = rules.applicationOf?.(context) ?? null;
  const [first] = errors;
  record.code = first === undefined ? "OK" : String(first.extensions["code"]);
  for (const { extensions, originalError = null, message: answered } of errors) {
    const { code, reason } = extensions;
    // A message can repeat a value of the call, which only a sandbox logs.
    const said = service.mode === "sandbox" && { answered };
    const fields = { correlationId, operation: record.operation, code, reason, ...said, ...rules.callerOf(context) };
    const refusal = originalError instanceof RefusedCallError && { refusal: originalError.security.reason };
    const message = `${rules.name} operation failed`;
    const isExpected = originalError === null || originalError instanceof AppError || context.presence.isGone;
    if (isExpected) service.logger.debug({ ...fields, ...refusal }, message);
    else service.logger.error({ ...fields, error: originalError }, message);
  }
  if (first !== undefined && !context.presence.isGone && REFUSALS.has(record.code))
    recordRefusal(context, rules, first.originalError ?? null);
}

export function reportTooLarge<Context extends CallContext>(context: Context, rules: ReportRules<Context>): void {
  const { service, correlationId, record } = context;
  record.code = "BODY_TOO_LARGE";
  const answered = `The body of a request must have at most ${LIMITS.bodyBytes} bytes.`;
  service.logger.debug(
    { correlationId, operation: record.operation, code: record.code, answered },
    `${rules.name} operation failed`,
  );
  recordRefusal(context, rules, null);
}

/** Writes one line to the security log. */
function recordRefusal<Context extends CallContext>(
  context: Context,
  rules: ReportRules<Context>,
  error: Error | null,
): void {
  const { service, correlationId, record } = context;
  const { address, network } = context.from();
  const call = rules.callOf(context);
  const refusal = error instanceof RefusedCallError ? error.security : refusalOf(error);
  const keyId = call.keyId ?? refusal.keyId ?? null;
  const known = call.keyId ?? call.sessionId ?? (refusal.isKnownKey ? refusal.keyId : null) ?? null;
  const { sessionId } = call;
  const fields = {
    correlationId,
    api: rules.name,
    code: record.code,
    reason: refusal.reason,
    keyId,
    sessionId,
    address,
  };
  securityLog(service).record(refusal.event, fields, known ?? network);
}

function refusalOf(error: Error | null): Omit<SecurityRefusal, "reason"> & { readonly reason: string | null } {
  const reason = (error instanceof AppError ? error.reason : null) ?? null;
  const isBeyondScope = reason === "PANEL_ONLY" || reason === "API_KEY_READ_ONLY";
  return { event: isBeyondScope ? "admin.operation_refused" : "api.call_refused", reason };
}
