import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES } from "@social-connect/contract";
import type { Script } from "./scripts.ts";

type ScopesByCapability = Record<Capability, string[]>;

/** What a registration asks of each provider for each capability. Names are the mock's; how they overlap is the providers'. */
export function defaultScopes(provider: SocialProvider): ScopesByCapability {
  switch (provider) {
    case "PROVIDER_A":
      return byCapability(["read"], ["read"], ["read"]);
    case "PROVIDER_B":
      return byCapability(["basic", "profile"], ["videos"], ["videos"]);
    case "PROVIDER_C":
      return byCapability(["basic"], ["basic"], ["basic", "insights"]);
  }
}

function byCapability(profile: string[], content: string[], metrics: string[]): ScopesByCapability {
  return { PROFILE: profile, CONTENT_LIST: content, CONTENT_LOOKUP: content, CONTENT_METRICS: metrics };
}

interface ScopeRules {
  /** Scopes that a person cannot leave out when they are asked for. */
  readonly required: readonly string[];
  /** A scope that is asked for alone has no box to untick: the person allows it or denies. */
  readonly singleIsRequired?: boolean;
  /** What the script `partial-scopes` leaves. */
  readonly closest: readonly string[];
  /** What the script `no-scopes` leaves. */
  readonly least: readonly string[];
}

const RULES: Readonly<Record<SocialProvider, ScopeRules>> = {
  PROVIDER_A: { required: [], singleIsRequired: true, closest: [], least: [] },
  PROVIDER_B: { required: ["basic"], closest: ["basic", "profile"], least: ["basic"] },
  PROVIDER_C: { required: ["basic"], closest: ["basic"], least: [] },
};

/** Scope that provider C's numbers need. */
export const INSIGHTS_SCOPE = "insights";

/** Every scope the capabilities need, each once. */
export function requestedScopes(scopes: Readonly<ScopesByCapability>, capabilities: readonly Capability[]): string[] {
  return [...new Set(CAPABILITIES.filter((name) => capabilities.includes(name)).flatMap((name) => scopes[name]))];
}

/** Capabilities whose scopes were all granted. */
export function capabilitiesOf(scopes: Readonly<ScopesByCapability>, granted: readonly string[]): Capability[] {
  return CAPABILITIES.filter((name) => scopes[name].every((scope) => granted.includes(scope)));
}

/** The scopes that a consent ends with: the ticked ones, unless the account's script has it otherwise. */
export function grantedScopes(
  provider: SocialProvider,
  script: Script,
  requested: readonly string[],
  ticked: readonly string[],
): string[] {
  const { closest, least } = RULES[provider];
  switch (script.consent) {
    case "no-scopes":
      return requested.filter((scope) => least.includes(scope));
    case "fewer-scopes":
      return requested.filter((scope) => closest.includes(scope));
    default:
      return requested.filter((scope) => ticked.includes(scope) || isRequiredScope(provider, requested, scope));
  }
}

/** Whether a person cannot leave a scope out of those that are asked for. */
export function isRequiredScope(provider: SocialProvider, requested: readonly string[], scope: string): boolean {
  const { required, singleIsRequired = false } = RULES[provider];
  return required.includes(scope) || (singleIsRequired && requested.length === 1);
}
