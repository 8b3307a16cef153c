import type { AdminKeyScope, Capability, RegistrationStatus, SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { providerName } from "@social-connect/domain";
import type { Status } from "./StatusBadge.tsx";

export const PROVIDER_NAMES = Object.fromEntries(
  SOCIAL_PROVIDERS.map((provider) => [provider, providerName(provider)]),
) as Readonly<Record<SocialProvider, string>>;

export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  PROFILE: "Profile",
  CONTENT_LIST: "List of posts",
  CONTENT_LOOKUP: "Post lookup by URL",
  CONTENT_METRICS: "Post metrics",
};

export function namesOf<Value extends string>(
  names: Readonly<Record<Value, string>>,
  values: readonly Value[],
): string {
  return values.map((value) => names[value]).join(", ");
}

export const SCOPE_NAMES: Readonly<Record<AdminKeyScope, string>> = { READ: "Read", WRITE: "Read and write" };

export const REGISTRATION_STATES: Readonly<Record<RegistrationStatus, Status>> = {
  DRAFT: { label: "Draft", tone: "idle" },
  PUBLISHED: { label: "Published", tone: "good" },
  PAUSED: { label: "Paused", tone: "waiting" },
  DISABLED: { label: "Disabled", tone: "bad" },
};

export function clientStatus(enabled: boolean): Status {
  return enabled ? { label: "Enabled", tone: "good" } : { label: "Disabled", tone: "bad" };
}

/** The first characters of a key's id, as shown in the audit log. */
export function shortKeyId(id: string): string {
  return id.slice(0, 8);
}
