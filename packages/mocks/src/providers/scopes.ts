import { CAPABILITIES, type Capability, type SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "@social-connect/domain";
import type { ScopesByCapability } from "@social-connect/provider-fixtures";
import { sha256Hex } from "../util/hash.ts";
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

/**
 * The key under which an authorization code is stored. With PKCE, a code is only valid for its own authorization request
 * (RFC 7636): with another request's state, it is unknown.
 */
export function codeKey(provider: SocialProvider, code: string, state: string): string {
  return PROVIDER_TRAITS[provider].pkce ? identityCodeKey(code, state) : sha256Hex(code);
}

/** The same for the identity provider, which always uses PKCE. */
export function identityCodeKey(code: string, state: string): string {
  return sha256Hex(`${code} ${state}`);
}
