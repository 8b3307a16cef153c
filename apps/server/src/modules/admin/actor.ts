import type { AdminKeyScope } from "@social-connect/contract";
import { keyActorName, SYSTEM_ACTOR_NAME } from "@social-connect/domain";

/** Who changes something, as the audit names them. */
export type AdminActor = KeyActor | SessionActor | MemberActor | SystemActor;

/** A member's key, which acts as the member. */
export interface KeyActor {
  readonly via: "key";
  readonly keyId: string;
  readonly scope: AdminKeyScope;
  readonly memberId: string;
}

/** A member signed in to the panel. */
export interface SessionActor {
  readonly via: "session";
  readonly sessionId: string;
  readonly memberId: string;
  readonly email: string;
  /** The account at the issuer that the member is tied to. */
  readonly issuer: string;
  readonly subject: string;
  /** When the person last proved to the issuer who they are. */
  readonly authenticatedAt: Date;
}

/** A member who signs in or out: there is no session yet, or no more. */
export interface MemberActor {
  readonly via: "member";
  readonly email: string;
}

/** The command line and the service itself. */
export interface SystemActor {
  readonly via: "system";
}

export const SYSTEM: SystemActor = { via: "system" };

/** The actor's name in the audit. Source: service description, part 5, admin rule 8. */
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
