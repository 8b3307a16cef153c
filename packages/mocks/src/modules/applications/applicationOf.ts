import type { Application } from "../../state/state.ts";
import type { World } from "../../world/world.ts";

export function applicationOf(world: World, id: string): Application {
  const found = world.state.applications.get(id);
  if (found === undefined) throw new Error(`no application ${id}`);
  return found;
}
