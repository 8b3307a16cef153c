import { PROVIDER_TRAITS } from "@social-connect/domain";
import { providerIssuer } from "../../state/addresses.ts";
import type { CallFailureKind } from "../../state/providerCall.ts";
import type { Registration } from "../../state/state.ts";
import { startProbe } from "../../upstream/calls.ts";
import type { World } from "../../world/world.ts";

const ADDRESSES = ["authorization", "token", "api", "revocation"] as const;
type Address = (typeof ADDRESSES)[number];

export interface AddressProblem {
  readonly address: Address;
  readonly problem: string;
}

/**
 * Calls with made-up credentials, and the failures that only say that these are wrong. The API refuses such credentials
 * before it can fail in another way.
 */
const PROBES = {
  authorization: null,
  token: { call: "exchange", refusals: ["rejected", "grant_gone"] },
  api: null,
  revocation: { call: "revoke", refusals: ["rejected", "grant_gone", "access_expired"] },
} as const satisfies Record<
  Address,
  { readonly call: "exchange" | "revoke"; readonly refusals: readonly CallFailureKind[] } | null
>;

export function probeAddresses(world: World, registration: Registration): AddressProblem[] {
  return ADDRESSES.flatMap((address) => {
    const problem = probe(world, registration, address);
    return problem === null ? [] : [{ address, problem }];
  });
}

function probe(world: World, { addresses, provider }: Registration, address: Address): string | null {
  const url = addresses[address];
  if (url === null || (address === "revocation" && !PROVIDER_TRAITS[provider].canRevoke)) return null;
  if (!url.startsWith(`${providerIssuer(world.settings, provider)}/`)) {
    return "The mock sends no requests: only the addresses of its simulated provider respond.";
  }
  const { call, refusals } = PROBES[address] ?? {};
  const failed = call === undefined ? null : startProbe(world, provider, call);
  if (failed === null || refusals?.some((kind) => kind === failed.kind)) return null;
  return `Unexpected response: ${failed.kind}.`;
}
