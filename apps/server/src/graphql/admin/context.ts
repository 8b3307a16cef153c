import type { KeyActor, SessionActor } from "../../modules/admin/actor.ts";
import type { Service } from "../../modules/service.ts";
import { AppError } from "../../platform/appError.ts";
import type { Incoming } from "../shared/plugins/use-request.ts";

/** What one request to the admin schema carries through its resolvers. */
export interface AdminContext extends Incoming {
  readonly service: Service;
  /** Quoted by a caller who asks for help; in every error and log line of the request. */
  readonly correlationId: string;
  /** Not `request`: the engine keeps its own under that name. */
  readonly incoming: AdminRequest;
  /** Set before the document is looked at. */
  actor: KeyActor | SessionActor | null;
}

/** What the headers of a request say, each value of each. */
export interface AdminRequest {
  /** The admin API with a key, or the panel with a session. */
  readonly surface: "api" | "panel";
  /** Why the way it came is not allowed: plain http, the wrong host, an unknown proxy; null when it is. */
  readonly transportProblem: string | null;
  readonly authorization: readonly string[];
  readonly hasCookie: boolean;
  /** Token of the panel's session cookie. */
  readonly sessionToken: string | null;
  readonly origin: readonly string[];
  readonly csrfToken: string | null;
}

/** Who calls, by key or session. */
export function actorOf({ actor }: AdminContext): KeyActor | SessionActor {
  if (actor === null) throw new AppError({ code: "UNAUTHENTICATED", message: "A valid admin key is required." });
  return actor;
}

/** The signed-in admin. The document check has refused keys before; this holds the line a second time. */
export function panelActorOf(context: AdminContext): SessionActor {
  const actor = actorOf(context);
  if (actor.via === "session") return actor;
  throw new AppError({ code: "FORBIDDEN", reason: "PANEL_ONLY", message: "This can be done in the panel alone." });
}
