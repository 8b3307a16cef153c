import {
  AppError,
  asUuid,
  attemptAsRead,
  checkSubjectScope,
  checkTenant,
  enforce,
  isSameScope,
  type SubjectScope,
  UNKNOWN_CONNECT_SESSION,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";

/** The current state of an attempt. Source: service description, parts 3 and 4, connectSessionResult. */
export function readConnectResult(
  world: World,
  { application }: Caller,
  scope: SubjectScope,
  id: string,
): ConnectAttempt {
  enforce(checkSubjectScope(scope));
  enforce(checkTenant(application, scope.tenantKey, "FORBIDDEN"));
  const attempt = world.state.connectAttempts.get(asUuid(id) ?? "");
  const isCallers = attempt?.applicationId === application.id && isSameScope(attempt, scope);
  const read = attempt !== undefined && isCallers ? attemptAsRead(attempt, world.now()) : null;
  if (read === null) throw new AppError(UNKNOWN_CONNECT_SESSION);
  return read;
}
