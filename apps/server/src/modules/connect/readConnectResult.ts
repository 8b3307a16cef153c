import { AppError, attemptAsRead, type SubjectScope, UNKNOWN_CONNECT_SESSION } from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import type { Reader } from "../applications/readForKey.ts";
import type { Service } from "../service.ts";
import { type AttemptResult, findAttemptResult } from "./store.ts";

/**
 * Returns an attempt's current state. An unfinished attempt after its deadline is EXPIRED even before the sweep runs.
 * FORBIDDEN for an unregistered tenant; NOT_FOUND for another scope's attempt and after the result expires.
 */
export async function readConnectResult(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  id: string,
): Promise<AttemptResult> {
  const now = await service.clock.now();
  const { row, policy } = await findAttemptResult(service, reader, scope, asUuid(id), now);
  enforceTenant(service, policy, scope.tenantKey, "FORBIDDEN");
  const read = row === null ? null : attemptAsRead(row, now);
  if (read === null) throw new AppError(UNKNOWN_CONNECT_SESSION);
  return read;
}
