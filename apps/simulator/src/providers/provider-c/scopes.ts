import type { ScopeRules } from "../../state/providerProfile.ts";

export const SCOPE_C_BASIC = "instagram_business_basic";
export const SCOPE_C_INSIGHTS = "instagram_business_manage_insights";

export const SCOPE_RULES: ScopeRules = {
  labels: {
    [SCOPE_C_BASIC]: "Read your profile and your posts",
    [SCOPE_C_INSIGHTS]: "Read how your posts perform",
  },
  required: [SCOPE_C_BASIC],
  partial: [SCOPE_C_BASIC],
  least: [],
};
