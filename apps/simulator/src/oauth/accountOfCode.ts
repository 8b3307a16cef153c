import type { Account } from "../accounts/account.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { World } from "../state/world.ts";

/** The account of a code that is being exchanged, so that faults can apply to it. */
export function accountOfCode(world: World, provider: ProviderKey, code: string | undefined): Account | undefined {
  const name = code === undefined ? undefined : world.codes.accountNameOf(code, provider);
  return name === undefined ? undefined : world.catalogue.byName(provider, name);
}
