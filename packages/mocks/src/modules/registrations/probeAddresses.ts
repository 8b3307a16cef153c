import { PROVIDER_TRAITS } from "@social-connect/domain";
import { providerIssuer } from "../../state/addresses.ts";
import type { Registration } from "../../state/state.ts";
import { startProbe } from "../../upstream/calls.ts";
import type { World } from "../../world/world.ts";

/**
 * Calls with made-up credentials, and the failures that only say that these are wrong. The API and the page refuse such
 * credentials before they can fail in another way.
 */
const PROBES = {
  authorization: null,
  token: { call: "exchange", refusals: ["rejected", "grant_gone"] },
  api: null,
  revocation: { call: "revoke", refusals: ["rejected", "grant_gone", "access_expired"] },
} as const satisfies Partial<Record<keyof Registration["addresses"], object | null>>;
const ADDRESSES = Object.keys(PROBES) as (keyof typeof PROBES)[];

export function probeAddresses(world: World, { addresses, provider }: Registration) {
  return ADDRESSES.flatMap((address) => {
    const url = addresses[address];
    if (url === null || (address === "revocation" && !PROVIDER_TRAITS[provider].canRevoke)) return [];
    if (!url.startsWith(`${providerIssuer(world.settings, provider)}/`))
      return { address, problem: "The mock sends no requests: only the addresses of its simulated provider respond." };
    const probe = PROBES[address];
    const failed = probe && startProbe(world, provider, probe.call);
    const isExpected = failed === null || probe?.refusals.some((kind) => kind === failed.kind);
    return isExpected ? [] : { address, problem: `Unexpected response: ${failed.kind}.` };
  });
}
