import type { AdminKeyScope } from "@social-connect/contract";
import { type AdminRefusal, accepted, keyActorName, SYSTEM_ACTOR_NAME } from "@social-connect/domain";
import type { World } from "../../world/world.ts";

/** An API key, which acts as its admin. */
export interface KeyActor {
  readonly via: "key";
  readonly keyId: string;
  readonly scope: AdminKeyScope;
}

/** A test that acts as an admin in the panel. */
export interface PanelActor {
  readonly via: "panel";
  readonly memberId: string;
  readonly email: string;
}

export type AdminActor = KeyActor | PanelActor | { readonly via: "system" };

export const SYSTEM: AdminActor = { via: "system" };

export function actorName(actor: AdminActor): string {
  if (actor.via === "key") return keyActorName(actor.keyId);
  return actor.via === "panel" ? actor.email : SYSTEM_ACTOR_NAME;
}

/** The decision about a new record. Its id is only generated when it is accepted, so a refusal does not change the state. */
export function acceptedNew<Decision extends object | null>(
  world: World,
  decide: (id: string) => Decision,
): Exclude<Decision, AdminRefusal> {
  accepted(decide(""));
  return accepted(decide(world.newId()));
}
