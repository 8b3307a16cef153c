import type { ScopeRules } from "../../state/providerProfile.ts";

export const SCOPE_B_BASIC = "user.info.basic";
export const SCOPE_B_PROFILE = "user.info.profile";
export const SCOPE_B_STATS = "user.info.stats";
export const SCOPE_B_VIDEOS = "video.list";

export const SCOPE_RULES: ScopeRules = {
  labels: {
    [SCOPE_B_BASIC]: "Read your display name and avatar",
    [SCOPE_B_PROFILE]: "Read your profile: handle, bio and link",
    [SCOPE_B_STATS]: "Read your follower and like counts",
    [SCOPE_B_VIDEOS]: "Read your public videos",
  },
  required: [SCOPE_B_BASIC],
  partial: [SCOPE_B_BASIC, SCOPE_B_PROFILE, SCOPE_B_STATS],
  least: [SCOPE_B_BASIC],
};
