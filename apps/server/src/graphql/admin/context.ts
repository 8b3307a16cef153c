import { AppError, INVALID_ADMIN_KEY, PANEL_ONLY } from "@social-connect/domain";
import type { AdminHeaders } from "@social-connect/transport";
import type { KeyActor, SessionActor } from "../../modules/admin/actor.ts";
import type { CallContext } from "../shared/callContext.ts";

/** What one request to the admin schema carries through its resolvers. */
export interface AdminContext extends CallContext {
  /** Not `request`: Yoga uses that name itself. */
  readonly incoming: AdminRequest;
  /** Set before the body is read. */
  actor: KeyActor | SessionActor | null;
}

/** The headers of a request, with every value of a repeated header. */
export interface AdminRequest extends AdminHeaders {
  /** The admin API with a key, or the panel with a session. */
  readonly surface: "api" | "panel";
  /** Why the transport is not allowed: plain HTTP, wrong host or untrusted proxy; null when it is. */
  readonly transportProblem: string | null;
  /** Token of the panel's session cookie. */
  readonly sessionToken: string | null;
  readonly csrfToken: string | null;
  /** The panel sent it on its own, so it does not extend the session. */
  readonly isUnattended: boolean;
}

/** The caller, by key or session. */
export function actorOf({ actor }: AdminContext): KeyActor | SessionActor {
  if (actor === null) throw new AppError(INVALID_ADMIN_KEY);
  return actor;
}

/** The signed-in admin. The document check has already rejected keys; this is a second check. */
export function panelActorOf(context: AdminContext): SessionActor {
  const actor = actorOf(context);
  if (actor.via === "session") return actor;
  throw new AppError(PANEL_ONLY);
}
