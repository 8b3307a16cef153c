import type { AdminKeyScope } from "@social-connect/contract";
import {
  type AdminRefusal,
  accepted,
  ConfirmationRequiredError,
  keyActorName,
  needsConfirmation,
  SYSTEM_ACTOR_NAME,
} from "@social-connect/domain";
import type { World } from "../../world/world.ts";

/** An API key, which acts as its admin. */
export interface KeyActor {
  readonly via: "key";
  readonly keyId: string;
  readonly scope: AdminKeyScope;
}

/** An admin with a panel session, or a test that acts as an admin. */
export interface SessionActor {
  readonly via: "session";
  readonly memberId: string;
  readonly email: string;
  /** Time of the last authentication at the identity provider. */
  readonly authenticatedAt: Date;
}

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
  if (needsConfirmation(actor.authenticatedAt, world.now())) throw new ConfirmationRequiredError();
}

/** The decision about a new record. Its id is only generated when it is accepted, so a refusal does not change the state. */
export function acceptedNew<Decision extends object | null>(
  world: World,
  decide: (id: string) => Decision,
): Exclude<Decision, AdminRefusal> {
  accepted(decide(""));
  return accepted(decide(world.newId()));
}
