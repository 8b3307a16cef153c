import {
  type AdminKeyScope,
  CAPABILITIES,
  type Capability,
  type RegistrationStatus,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
import { CAPABILITY_NAMES as NAMES_IN_SENTENCES, providerName } from "@social-connect/domain";
import type { Status } from "./StatusBadge.tsx";

export const PROVIDER_NAMES = Object.fromEntries(
  SOCIAL_PROVIDERS.map((provider) => [provider, providerName(provider)]),
) as Readonly<Record<SocialProvider, string>>;

export const CAPABILITY_NAMES = Object.fromEntries(
  CAPABILITIES.map((capability) => [capability, capitalize(NAMES_IN_SENTENCES[capability])]),
) as Readonly<Record<Capability, string>>;

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

/** For a name that begins a line. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
