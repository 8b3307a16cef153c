import type { Account } from "../accounts/account.ts";
import type { Call } from "../shared/http.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { FoundToken } from "../state/grants.ts";
import type { World } from "../state/world.ts";

/** The grant and the account of an access token, also if it has expired or ended; null for an unknown token. */
export function findCaller(
  world: World,
  call: Call,
  provider: ProviderKey,
  accessToken: string | null,
): (FoundToken & { readonly account: Account }) | null {
  const found = world.grants.find(accessToken ?? "");
  if (found === null || found.grant.provider !== provider || found.token.kind === "refresh") return null;
  const account = world.accountOf(found.grant);
  Object.assign(call.get("trace"), { account: account.name, clientId: found.grant.clientId });
  return { ...found, account };
}
