import type { ScopeRules } from "../../state/providerProfile.ts";

export const SCOPE_A_READ = "https://www.googleapis.com/auth/youtube.readonly";

export const SCOPE_RULES: ScopeRules = {
  labels: { [SCOPE_A_READ]: "See your channel, your videos and their metrics" },
  required: [],
  singleIsRequired: true,
  partial: [],
  least: [],
};
