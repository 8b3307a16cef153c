import { type AdminRefusal, accepted } from "@social-connect/domain";
import type { World } from "../../world/world.ts";

/** The decision about a new record. Its id is only generated when it is accepted, so a refusal does not change the state. */
export function acceptedNew<Decision extends object | null>(
  world: World,
  decide: (id: string) => Decision,
): Exclude<Decision, AdminRefusal> {
  accepted(decide(""));
  return accepted(decide(world.newId()));
}
