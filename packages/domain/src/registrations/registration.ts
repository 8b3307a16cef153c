import type { RegistrationStatus, SocialProvider } from "@social-connect/contract";
import { providerName } from "../providers/providerTraits.ts";

/**
 * Every move of a provider registration. A draft serves no connections; a published one starts and serves connections; a paused one
 * keeps its connections, whose reads say AUTHORIZATION_SUSPENDED; a disabled one serves none. What was stopped can be
 * published again, through the same checks.
 */
export const REGISTRATION_TRANSITIONS = {
  PUBLISH: { from: ["DRAFT", "PAUSED", "DISABLED"], to: "PUBLISHED" },
  PAUSE: { from: ["PUBLISHED"], to: "PAUSED" },
  DISABLE: { from: ["DRAFT", "PUBLISHED", "PAUSED"], to: "DISABLED" },
} as const satisfies Record<string, { from: readonly RegistrationStatus[]; to: RegistrationStatus }>;

export type RegistrationEvent = keyof typeof REGISTRATION_TRANSITIONS;

/** The status after `event`; null when the event cannot happen in `status`. */
export function moveRegistration(status: RegistrationStatus, event: RegistrationEvent): RegistrationStatus | null {
  const { from, to }: { from: readonly RegistrationStatus[]; to: RegistrationStatus } = REGISTRATION_TRANSITIONS[event];
  return from.includes(status) ? to : null;
}

const NEAREST_TO_SERVING = ["PAUSED", "DRAFT", "DISABLED"] as const satisfies readonly RegistrationStatus[];

/** Why no account can be connected at a provider: no registration exists, or the one closest to serving has this status. */
export type UnavailableReason = "NO_REGISTRATION" | `REGISTRATION_${(typeof NEAREST_TO_SERVING)[number]}`;

/** By the statuses of a provider's registrations; null when one of them is published. This project's choice. */
export function unavailableReason(statuses: readonly RegistrationStatus[]): UnavailableReason | null {
  if (statuses.includes("PUBLISHED")) return null;
  const nearest = NEAREST_TO_SERVING.find((status) => statuses.includes(status));
  return nearest === undefined ? "NO_REGISTRATION" : `REGISTRATION_${nearest}`;
}

const HINT_LENGTH = 6;

/** Enough of a client id to distinguish it from others. */
export function clientIdHint(clientId: string): string {
  return clientId.length <= HINT_LENGTH ? clientId : `${clientId.slice(0, HINT_LENGTH)}…`;
}

export interface DescribedRegistration {
  readonly provider: SocialProvider;
  readonly clientId: string;
}

export function describeRegistration({ provider, clientId }: DescribedRegistration): string {
  return `the registration at ${providerName(provider)} (client id ${clientIdHint(clientId)})`;
}
