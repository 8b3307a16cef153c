import { REQUEST_REJECTED, SIGN_IN_REQUIRED } from "@social-connect/domain";
import { apiHeadersProblem, panelHeadersProblem } from "@social-connect/transport";
import type { KeyActor, SessionActor } from "../../modules/admin/actor.ts";
import { findSession, isCsrfToken } from "../../modules/admin-sessions/session.ts";
import { authenticateApiKey } from "../../modules/api-keys/authenticateApiKey.ts";
import { RefusedCallError } from "../../platform/refusedCallError.ts";
import type { RefusalEventName } from "../../platform/securityEvents.ts";
import type { AdminContext } from "./context.ts";

/** Authenticates a request before its body is read; throws to reject it. */
export async function admit(context: AdminContext): Promise<void> {
  if (context.incoming.transportProblem !== null)
    throw forbidden("admin.transport_refused", context.incoming.transportProblem);
  context.actor = await (context.incoming.surface === "api" ? admitKey(context) : admitPanel(context));
  context.owner = context.actor.memberId;
}

/**
 * Requires HTTPS to the admin host, one Authorization header, no cookie and a valid key; anything else about the
 * transport is FORBIDDEN. Source: service description, parts 4 and 5.
 */
async function admitKey({ service, incoming }: AdminContext): Promise<KeyActor> {
  const problem = apiHeadersProblem(incoming);
  if (problem !== null) throw forbidden("admin.transport_refused", problem);
  return authenticateApiKey(service, incoming.authorization[0] ?? null);
}

/**
 * Requires exactly the panel's own origin, the session cookie and the CSRF token, which only a page of that origin can
 * read. Keys belong to the API.
 */
async function admitPanel({ service, incoming }: AdminContext): Promise<SessionActor> {
  const problem = panelHeadersProblem(incoming, service.adminHost);
  if (problem !== null) throw forbidden("panel.request_forged", problem);
  const session = await findSession(service, incoming.sessionToken, { extend: !incoming.isUnattended });
  if (session === null || incoming.sessionToken === null) {
    const reason = incoming.sessionToken === null ? "missing" : "expired or unknown";
    throw new RefusedCallError(SIGN_IN_REQUIRED, { event: "panel.session_refused", reason });
  }
  if (!isCsrfToken(incoming.sessionToken, incoming.csrfToken))
    throw forbidden("panel.request_forged", "the CSRF token is missing or wrong");
  return session;
}

/** One message for every cause; the log has the reason. */
function forbidden(event: RefusalEventName, reason: string): RefusedCallError {
  return new RefusedCallError(REQUEST_REJECTED, { event, reason });
}
