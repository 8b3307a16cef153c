import type { AdminKeyScope, Capability } from "@social-connect/contract";

/** Names of values within a sentence, for audit entries and the panel. */

export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  PROFILE: "profile",
  CONTENT_LIST: "list of posts",
  CONTENT_LOOKUP: "post lookup by URL",
  CONTENT_METRICS: "post metrics",
};

export const KEY_SCOPE_NAMES: Readonly<Record<AdminKeyScope, string>> = { READ: "read-only", WRITE: "read-and-write" };
