import type { World } from "../../world/world.ts";

/** Plain http on loopback is for sandbox and development. */
export function originRules({ settings }: World): { readonly allowLoopbackHttp: boolean } {
  return { allowLoopbackHttp: settings.mode === "sandbox" };
}
