import { CAPABILITIES, type Capability, type SocialProvider } from "@social-connect/contract";
import type { ScopesByCapability } from "@social-connect/provider-fixtures";
import { PROVIDERS } from "./providers.ts";

/** What a new registration requests of the provider for each capability; a copy that the registration may change. */
export function defaultScopes(provider: SocialProvider): ScopesByCapability {
  return structuredClone(PROVIDERS[provider].scopes.byCapability);
}

/** Every scope the capabilities need, each once. */
export function requestedScopes(scopes: Readonly<ScopesByCapability>, capabilities: readonly Capability[]): string[] {
  return [...new Set(CAPABILITIES.filter((name) => capabilities.includes(name)).flatMap((name) => scopes[name]))];
}

/** Capabilities whose scopes were all granted. */
export function capabilitiesOf(scopes: Readonly<ScopesByCapability>, granted: readonly string[]): Capability[] {
  return CAPABILITIES.filter((name) => scopes[name].every((scope) => granted.includes(scope)));
}
