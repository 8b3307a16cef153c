import { findSession, isCsrfToken } from "../../modules/admin-sessions/session.ts";
import { authenticateApiKey } from "../../modules/api-keys/authenticateApiKey.ts";
import { AppError } from "../../platform/appError.ts";
import type { RefusalEventName } from "../../platform/securityEvents.ts";
import type { AdminContext } from "./context.ts";

/** Lets a request in, and says who makes it; throws for one that may not be made, before its body is read. */
export async function admit(context: AdminContext): Promise<void> {
  if (context.incoming.transportProblem !== null)
    throw forbidden("admin.transport_refused", context.incoming.transportProblem);
  await (context.incoming.surface === "api" ? admitKey(context) : admitPanel(context));
}

/**
 * How a request to the admin API has to come: over https to the right host, with one Authorization header and no cookie,
 * which is FORBIDDEN otherwise; and with a key that is good. Source: service description, parts 4 and 5.
 */
async function admitKey(context: AdminContext): Promise<void> {
  const { service, incoming } = context;
  if (incoming.hasCookie) throw forbidden("admin.transport_refused", "a cookie was sent");
  if (incoming.authorization.length > 1)
    throw forbidden("admin.transport_refused", "two Authorization headers were sent");
  context.actor = await authenticateApiKey(service, incoming.authorization[0] ?? null);
}

/**
 * How a request of the panel has to come: from the panel's own origin, exactly, with the session's cookie and with the
 * token that only a page of that origin can know. A key is for the API.
 */
async function admitPanel(context: AdminContext): Promise<void> {
  const { service, incoming } = context;
  if (incoming.origin.length !== 1 || incoming.origin[0] !== new URL(service.adminHost).origin) {
    throw forbidden("panel.request_forged", "another origin, or none");
  }
  if (incoming.authorization.length > 0)
    throw forbidden("panel.request_forged", "an Authorization header was sent to the panel");
  const session = await findSession(service, incoming.sessionToken);
  if (session === null || incoming.sessionToken === null) {
    const refusal = {
      event: "panel.session_refused",
      reason: incoming.sessionToken === null ? "missing" : "ended or unknown",
    } as const;
    throw new AppError({ code: "UNAUTHENTICATED", message: "Sign in to go on.", refusal });
  }
  if (!isCsrfToken(incoming.sessionToken, incoming.csrfToken))
    throw forbidden("panel.request_forged", "the CSRF token is missing or wrong");
  context.actor = session;
}

/** One message for all of it: what was wrong with the way is in the log. */
function forbidden(event: RefusalEventName, reason: string): AppError {
  const refusal = { event, reason };
  return new AppError({
    code: "FORBIDDEN",
    message: "The request must not be made in this way.",
    internal: reason,
    refusal,
  });
}
