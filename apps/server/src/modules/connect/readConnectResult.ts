import type { SubjectScope } from "@social-connect/domain";
import { AppError, attemptAsRead, checkTenant, enforce, UNKNOWN_CONNECT_SESSION } from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/authenticate.ts";
import type { Service } from "../service.ts";
import type { AttemptResultRow } from "./store.ts";
import { findAttemptResult } from "./store.ts";

export type AttemptResult = AttemptResultRow;

/**
 * Returns an attempt's current state. An unfinished attempt after its deadline is EXPIRED even before the sweep runs.
 * FORBIDDEN for an unregistered tenant; NOT_FOUND for another scope's attempt and after the result expires.
 */
export async function readConnectResult(
  service: Service,
  { application }: Caller,
  scope: SubjectScope,
  id: string,
): Promise<AttemptResult> {
  enforce(checkTenant(application, scope.tenantKey, "FORBIDDEN"));
  const attemptId = asUuid(id);
  const [attempt, now] = await Promise.all([
    attemptId === null ? null : findAttemptResult(service.pool, application.id, scope, attemptId),
    service.clock.now(),
  ]);
  const read = attempt === null ? null : attemptAsRead(attempt, now);
  if (read === null) throw new AppError(UNKNOWN_CONNECT_SESSION);
  return read;
}
