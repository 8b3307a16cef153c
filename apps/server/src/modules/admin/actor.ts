import type { AdminKeyScope } from "@social-connect/contract";
import { keyActorName, SYSTEM_ACTOR_NAME } from "@social-connect/domain";

/** Who makes a change, for the audit log. */
export type AdminActor = KeyActor | SessionActor | MemberActor | SystemActor;

/** An admin's key, which acts as the admin. */
export interface KeyActor {
  readonly via: "key";
  readonly keyId: string;
  readonly scope: AdminKeyScope;
  readonly memberId: string;
}

/** A signed-in admin in the panel. */
export interface SessionActor {
  readonly via: "session";
  readonly sessionId: string;
  readonly memberId: string;
  readonly email: string;
  /** The account at the issuer to which the admin is bound. */
  readonly issuer: string;
  readonly subject: string;
  /** When the admin last authenticated at the issuer. */
  readonly authenticatedAt: Date;
}

/** An admin who signs in or out, without a session. */
export interface MemberActor {
  readonly via: "member";
  readonly email: string;
}

/** The command line and the service itself. */
export interface SystemActor {
  readonly via: "system";
}

export const SYSTEM: SystemActor = { via: "system" };

/** The actor's name in the audit log. Source: service description, part 5, admin rule 8. */
export function actorName(actor: AdminActor): string {
  switch (actor.via) {
    case "key":
      return keyActorName(actor.keyId);
    case "session":
    case "member":
      return actor.email;
    case "system":
      return SYSTEM_ACTOR_NAME;
  }
}
