import type { AdminKeyScope, Capability, RegistrationStatus, SocialProvider } from "@social-connect/contract";
import type { Tone } from "./StatusBadge.tsx";

/** How things are called on the panel's pages. */

export const PROVIDER_NAMES: Readonly<Record<SocialProvider, string>> = {
  PROVIDER_A: "Provider A",
  PROVIDER_B: "Provider B",
  PROVIDER_C: "Provider C",
};

export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  PROFILE: "Profile",
  CONTENT_LIST: "List of posts",
  CONTENT_LOOKUP: "Posts by address",
  CONTENT_METRICS: "Numbers of posts",
};

export const SCOPE_NAMES: Readonly<Record<AdminKeyScope, string>> = { READ: "Read", WRITE: "Read and write" };

export const REGISTRATION_STATES: Readonly<
  Record<RegistrationStatus, { readonly label: string; readonly tone: Tone }>
> = {
  DRAFT: { label: "Draft", tone: "idle" },
  PUBLISHED: { label: "Published", tone: "good" },
  PAUSED: { label: "Paused", tone: "waiting" },
  DISABLED: { label: "Disabled", tone: "bad" },
};

/** The first characters of a key's id, as the audit names it. */
export function shortKeyId(id: string): string {
  return id.slice(0, 8);
}
