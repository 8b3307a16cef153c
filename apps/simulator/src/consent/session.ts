import { getCookie, setCookie } from "hono/cookie";
import type { Account } from "../accounts/account.ts";
import type { Call } from "../shared/http.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { World } from "../state/createWorld.ts";

/** Browsers share cookies among the ports of a host, so each provider has its own. */
const cookieOf = (provider: ProviderKey) => `simulated-${provider}`;

/** The account with which the person is signed in at the provider in this browser. */
export function signedInAccount(world: World, call: Call, provider: ProviderKey): Account | undefined {
  return world.catalogue.byName(provider, getCookie(call, cookieOf(provider)) ?? "");
}

/** Ends with the browser. */
export function rememberAccount(call: Call, { name }: Account, provider: ProviderKey): void {
  setCookie(call, cookieOf(provider), name, { path: "/", httpOnly: true, sameSite: "Lax" });
}

export function signOut(call: Call, provider: ProviderKey): void {
  setCookie(call, cookieOf(provider), "", { path: "/", httpOnly: true, sameSite: "Lax", maxAge: 0 });
}
