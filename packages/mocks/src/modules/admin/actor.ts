import type { AdminKeyScope } from "@social-connect/contract";
import { keyActorName, needsConfirmation, SYSTEM_ACTOR_NAME } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import { ConfirmationRequiredError } from "./errors.ts";

/** A member's key, which acts as the member. */
export interface KeyActor {
  readonly via: "key";
  readonly keyId: string;
  readonly scope: AdminKeyScope;
}

/** A member signed in to the panel, or a test in a member's place. */
export interface SessionActor {
  readonly via: "session";
  readonly memberId: string;
  readonly email: string;
  /** When the person last proved to the issuer who they are. */
  readonly authenticatedAt: Date;
}

/** A member who signs in or out: there is no session yet, or no more. */
interface MemberActor {
  readonly via: "member";
  readonly email: string;
}

export type AdminActor = KeyActor | SessionActor | MemberActor | { readonly via: "system" };

export const SYSTEM: AdminActor = { via: "system" };

export function actorName(actor: AdminActor): string {
  if (actor.via === "key") return keyActorName(actor.keyId);
  return actor.via === "session" || actor.via === "member" ? actor.email : SYSTEM_ACTOR_NAME;
}

export function requireConfirmation(world: World, actor: SessionActor): void {
  if (needsConfirmation(actor.authenticatedAt, world.now()))
    throw new ConfirmationRequiredError(world.settings.adminHost);
}
