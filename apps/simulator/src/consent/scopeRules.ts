import type { Script } from "../accounts/scripts.ts";
import type { ProviderKey } from "../wire.ts";

export const SCOPE_A_READ = "https://www.googleapis.com/auth/youtube.readonly";
export const SCOPE_B_BASIC = "user.info.basic";
export const SCOPE_B_PROFILE = "user.info.profile";
export const SCOPE_B_STATS = "user.info.stats";
export const SCOPE_B_VIDEOS = "video.list";
export const SCOPE_C_BASIC = "instagram_business_basic";
export const SCOPE_C_INSIGHTS = "instagram_business_manage_insights";

interface ScopeRules {
  /** Every scope that the provider knows, and what a person reads about it. */
  readonly labels: Readonly<Record<string, string>>;
  /** Scopes that a person cannot leave out when they are asked for. */
  readonly required: readonly string[];
  /** A scope that is asked for alone has no box to untick: the person allows it or denies. */
  readonly singleIsRequired?: boolean;
  /** What the script `partial-scopes` leaves. */
  readonly profileOnly: readonly string[];
  /** What the script `no-scopes` leaves. */
  readonly atLeast: readonly string[];
}

export const SCOPE_RULES: Readonly<Record<ProviderKey, ScopeRules>> = {
  "provider-a": {
    labels: { [SCOPE_A_READ]: "See your channel, your videos and their numbers" },
    required: [],
    singleIsRequired: true,
    profileOnly: [],
    atLeast: [],
  },
  "provider-b": {
    labels: {
      [SCOPE_B_BASIC]: "Read your display name and avatar",
      [SCOPE_B_PROFILE]: "Read your profile: handle, bio and link",
      [SCOPE_B_STATS]: "Read your follower and like counts",
      [SCOPE_B_VIDEOS]: "Read your public videos",
    },
    required: [SCOPE_B_BASIC],
    profileOnly: [SCOPE_B_BASIC, SCOPE_B_PROFILE, SCOPE_B_STATS],
    atLeast: [SCOPE_B_BASIC],
  },
  "provider-c": {
    labels: {
      [SCOPE_C_BASIC]: "Read your profile and your posts",
      [SCOPE_C_INSIGHTS]: "Read how your posts perform",
    },
    required: [SCOPE_C_BASIC],
    profileOnly: [SCOPE_C_BASIC],
    atLeast: [],
  },
};

/** Whether a person cannot leave a scope out of those that are asked for. */
export function isRequired(provider: ProviderKey, requested: readonly string[], scope: string): boolean {
  const { required, singleIsRequired = false } = SCOPE_RULES[provider];
  return required.includes(scope) || (singleIsRequired && requested.length === 1);
}

/** The scopes that a consent ends with: the ticked ones, unless the account's script has it otherwise. */
export function grantedScopes(
  provider: ProviderKey,
  script: Script,
  requested: readonly string[],
  ticked: readonly string[],
): string[] {
  const rules = SCOPE_RULES[provider];
  switch (script.consent) {
    case "no-scopes":
      return requested.filter((scope) => rules.atLeast.includes(scope));
    case "fewer-scopes":
      return requested.filter((scope) => rules.profileOnly.includes(scope));
    default:
      return requested.filter((scope) => ticked.includes(scope) || isRequired(provider, requested, scope));
  }
}

export function unknownScopes(provider: ProviderKey, requested: readonly string[]): string[] {
  return requested.filter((scope) => !(scope in SCOPE_RULES[provider].labels));
}
