import type { AdminErrorCode, ErrorCode } from "@social-connect/contract";
import type { AppError } from "@social-connect/domain";
import type { Logger } from "../../platform/logger.ts";
import type { SecurityRefusal } from "../../platform/refusedCallError.ts";
import { RefusedCallError } from "../../platform/refusedCallError.ts";
import { securityLog } from "../../platform/securityLog.ts";

/** A call as the security log records it. */
export interface RefusedCall {
  readonly correlationId: string;
  readonly api: "consumer" | "admin" | "panel";
  /** The authenticated key or session. */
  readonly keyId: string | null;
  readonly sessionId: string | null;
  /** The caller's address, and the network by which its log lines are rate-limited. */
  readonly from: { readonly address: string; readonly network: string };
}

/**
 * Codes that reject a caller. The others report the state of a connection or of the service and are not security
 * events.
 */
const REFUSALS: ReadonlySet<ErrorCode | AdminErrorCode> = new Set([
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "BAD_USER_INPUT",
  "NOT_FOUND",
  "RATE_LIMITED",
] as const);

/** Writes one line for a rejected call; nothing for an error of another kind. */
export function recordRefusal(
  service: { readonly logger: Logger },
  call: RefusedCall,
  code: ErrorCode | AdminErrorCode | "BODY_TOO_LARGE",
  error: AppError | null = null,
): void {
  if (code !== "BODY_TOO_LARGE" && !REFUSALS.has(code)) return;
  const refusal = error instanceof RefusedCallError ? error.security : refusalOf(error);
  const keyId = call.keyId ?? refusal.keyId ?? null;
  const known = call.keyId ?? call.sessionId ?? (refusal.isKnownKey ? refusal.keyId : null) ?? null;
  const { correlationId, api, sessionId, from } = call;
  const fields = { correlationId, api, code, reason: refusal.reason, keyId, sessionId, address: from.address };
  securityLog(service).record(refusal.event, fields, known ?? from.network);
}

function refusalOf(error: AppError | null): Omit<SecurityRefusal, "reason"> & { readonly reason: string | null } {
  const reason = error?.reason ?? null;
  const isBeyondScope = reason === "PANEL_ONLY" || reason === "API_KEY_READ_ONLY";
  return { event: isBeyondScope ? "admin.operation_refused" : "api.call_refused", reason };
}
