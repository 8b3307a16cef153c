import type { Account } from "../accounts/account.ts";
import type { Grant } from "../state/grant.ts";
import type { World } from "../state/world.ts";

/** Counts a revocation and returns its result by the account's script. */
export function scriptedRevocation(world: World, grant: Grant, account: Account): "works" | "unavailable" | "rejected" {
  const { revoke } = account.script;
  if (revoke === undefined) return "works";
  if (revoke === "rejected") return "rejected";
  const attempts = (grant.counters.revocations ?? 0) + 1;
  grant.counters.revocations = attempts;
  world.save();
  return attempts <= revoke.failuresFirst ? "unavailable" : "works";
}
