import { ANY_OPERATION, type ServiceFault } from "../state/serviceFaults.ts";
import type { World } from "../world/world.ts";

/** Uses the oldest fault that matches a request for these operations. */
export function takeFault(world: World, operations: readonly string[]): ServiceFault | null {
  const { state } = world;
  for (const rule of state.faults) {
    if (rule.operation !== ANY_OPERATION && !operations.includes(rule.operation)) continue;
    if (rule.probability < 1 && world.random.fraction() >= rule.probability) continue;
    if (rule.left !== null) {
      rule.left -= 1;
      if (rule.left <= 0) state.faults = state.faults.filter((one) => one !== rule);
    }
    return rule.fault;
  }
  return null;
}
