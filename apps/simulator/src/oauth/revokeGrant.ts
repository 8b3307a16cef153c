import type { Account } from "../accounts/account.ts";
import { type ErrorForms, withFaults } from "../faults/withFaults.ts";
import type { Call } from "../shared/http.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { World } from "../state/createWorld.ts";
import type { FoundToken, Grant } from "../state/grants.ts";

/** Why a revocation fails. `rejected`: by the account's script. */
export type RevocationRefusal = "unknown" | "ended" | "rejected";

/** The differences between the providers' responses to a revocation. */
export interface RevocationRules {
  readonly provider: ProviderKey;
  readonly errors: ErrorForms;
  readonly takesRefreshTokens: boolean;
  refuse(reason: RevocationRefusal): Response;
  done(): Response;
}

/** Ends the grant of a token; null for a token that the caller cannot revoke. */
export function revokeGrant(
  world: World,
  call: Call,
  found: FoundToken | null,
  rules: RevocationRules,
): Promise<Response> {
  const { provider, errors, refuse } = rules;
  const own = found?.grant.provider === provider ? found : null;
  if (own !== null) own.grant.uses.revocations += 1;
  const account = own === null ? undefined : world.accountOf(own.grant);
  const facts = { provider, endpoint: "revoke", group: "sign-in", account, grant: own?.grant } as const;
  return withFaults(world, call, facts, errors, () => {
    if (own === null || account === undefined) return refuse("unknown");
    if (own.token.kind === "refresh" && !rules.takesRefreshTokens) return refuse("unknown");
    const scripted = scriptedRevocation(world, own.grant, account);
    if (scripted === "unavailable") return errors.unavailable(503);
    if (scripted === "rejected") return refuse("rejected");
    if (own.grant.ended !== null || own.expired || own.token.replacedAt !== null) return refuse("ended");
    world.endGrant(own.grant, "revoked");
    return rules.done();
  });
}

/** Counts a revocation and returns its result by the account's script. */
function scriptedRevocation(world: World, grant: Grant, account: Account): "works" | "unavailable" | "rejected" {
  const { revoke } = account.script;
  if (revoke === undefined) return "works";
  if (revoke === "rejected") return "rejected";
  const attempts = (grant.counters.revocations ?? 0) + 1;
  grant.counters.revocations = attempts;
  world.save();
  return attempts <= revoke.failuresFirst ? "unavailable" : "works";
}
