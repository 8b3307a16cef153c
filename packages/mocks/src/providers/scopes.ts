import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES } from "@social-connect/contract";
import { PROVIDERS } from "./providers.ts";
import type { Script } from "./scripts.ts";

type ScopesByCapability = Record<Capability, string[]>;

/** What a new registration requests of the provider for each capability; a copy that the registration may change. */
export function defaultScopes(provider: SocialProvider): ScopesByCapability {
  const { PROFILE, CONTENT_LIST, CONTENT_LOOKUP, CONTENT_METRICS } = PROVIDERS[provider].scopes.byCapability;
  return {
    PROFILE: [...PROFILE],
    CONTENT_LIST: [...CONTENT_LIST],
    CONTENT_LOOKUP: [...CONTENT_LOOKUP],
    CONTENT_METRICS: [...CONTENT_METRICS],
  };
}

/** Every scope the capabilities need, each once. */
export function requestedScopes(scopes: Readonly<ScopesByCapability>, capabilities: readonly Capability[]): string[] {
  return [...new Set(CAPABILITIES.filter((name) => capabilities.includes(name)).flatMap((name) => scopes[name]))];
}

/** Capabilities whose scopes were all granted. */
export function capabilitiesOf(scopes: Readonly<ScopesByCapability>, granted: readonly string[]): Capability[] {
  return CAPABILITIES.filter((name) => scopes[name].every((scope) => granted.includes(scope)));
}

/** The scopes that a consent grants: the selected and required ones, unless the account's script decides. */
export function grantedScopes(
  provider: SocialProvider,
  script: Script,
  requested: readonly string[],
  selected: readonly string[],
): string[] {
  const { partial, least } = PROVIDERS[provider].scopes;
  switch (script.consent) {
    case "no-scopes":
      return requested.filter((scope) => least.includes(scope));
    case "fewer-scopes":
      return requested.filter((scope) => partial.includes(scope));
    default:
      return requested.filter((scope) => selected.includes(scope) || isRequiredScope(provider, requested, scope));
  }
}

/** Whether a person cannot deselect a requested scope. */
export function isRequiredScope(provider: SocialProvider, requested: readonly string[], scope: string): boolean {
  const { required, singleIsRequired } = PROVIDERS[provider].scopes;
  return required.includes(scope) || (singleIsRequired && requested.length === 1);
}
