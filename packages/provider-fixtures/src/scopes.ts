import type { Capability } from "@social-connect/contract";
import type { AccountScript } from "./accountScript.ts";

/** Which of the requested scopes a consent grants at a provider. */
export interface ConsentRules {
  /** A person cannot decline these scopes. */
  readonly required: readonly string[];
  /** A person cannot decline the only requested scope, but the whole consent. */
  readonly singleIsRequired?: boolean;
  /** What the scripts `partial-scopes` and `no-scopes` grant. */
  readonly partial: readonly string[];
  readonly least: readonly string[];
}

/** Whether a person cannot decline a requested scope. */
export function isRequiredScope(rules: ConsentRules, requested: readonly string[], scope: string): boolean {
  return rules.required.includes(scope) || (rules.singleIsRequired === true && requested.length === 1);
}

/** The scopes that a consent grants: the selected and required ones, unless the account's script decides. */
export function grantedScopes(
  rules: ConsentRules,
  { consent }: Pick<AccountScript, "consent">,
  requested: readonly string[],
  selected: readonly string[],
): string[] {
  if (consent === "no-scopes") return requested.filter((scope) => rules.least.includes(scope));
  if (consent === "fewer-scopes") return requested.filter((scope) => rules.partial.includes(scope));
  return requested.filter((scope) => selected.includes(scope) || isRequiredScope(rules, requested, scope));
}

export type ScopesByCapability = Record<Capability, string[]>;

/** The scopes of each capability; the list of posts and their lookup always need the same. */
export function scopesByCapability(
  profile: readonly string[],
  content: readonly string[],
  metrics: readonly string[],
): ScopesByCapability {
  return {
    PROFILE: [...profile],
    CONTENT_LIST: [...content],
    CONTENT_LOOKUP: [...content],
    CONTENT_METRICS: [...metrics],
  };
}
