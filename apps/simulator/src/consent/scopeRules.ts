import type { Script } from "../accounts/scripts.ts";
import type { ScopeRules } from "../state/providerProfile.ts";

/** Whether a user cannot decline a requested scope. */
export function isRequired(rules: ScopeRules, requested: readonly string[], scope: string): boolean {
  const { required, singleIsRequired = false } = rules;
  return required.includes(scope) || (singleIsRequired && requested.length === 1);
}

/** The granted scopes: the checked ones, unless the account's script decides otherwise. */
export function grantedScopes(
  rules: ScopeRules,
  script: Script,
  requested: readonly string[],
  checked: readonly string[],
): string[] {
  switch (script.consent) {
    case "no-scopes":
      return requested.filter((scope) => rules.atLeast.includes(scope));
    case "fewer-scopes":
      return requested.filter((scope) => rules.profileOnly.includes(scope));
    default:
      return requested.filter((scope) => checked.includes(scope) || isRequired(rules, requested, scope));
  }
}

export function unknownScopes(rules: ScopeRules, requested: readonly string[]): string[] {
  return requested.filter((scope) => !(scope in rules.labels));
}
