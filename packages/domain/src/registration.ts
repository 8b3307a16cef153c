import type { RegistrationStatus } from "@social-connect/contract";

/**
 * Every move of a provider registration. A draft serves nobody; a published one starts and serves connections; a paused one
 * keeps its connections, whose reads say AUTHORIZATION_SUSPENDED; a disabled one serves nobody. What was stopped can be
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

/** Addresses and credentials of a registration change only while it serves no new attempt. */
export function mayChangeRegistration(status: RegistrationStatus): boolean {
  return status !== "PUBLISHED";
}
