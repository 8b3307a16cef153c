import { CAPABILITIES, type Capability } from "@social-connect/contract";
import type { ProviderScopes } from "./registration.ts";

/** The scopes of the capabilities, without duplicates, in the order of configuration. */
export function requestedScopes(scopes: ProviderScopes, capabilities: readonly Capability[]): string[] {
  return [...new Set(CAPABILITIES.filter((name) => capabilities.includes(name)).flatMap((name) => scopes[name] ?? []))];
}

/** Capabilities whose scopes were all granted. */
export function capabilitiesOf(scopes: ProviderScopes, granted: readonly string[]): Capability[] {
  return CAPABILITIES.filter((name) => scopes[name]?.every((scope) => granted.includes(scope)));
}
