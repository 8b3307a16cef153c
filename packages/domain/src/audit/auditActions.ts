/** What the audit can tell of, as it is written there. */
export const AUDIT_ACTIONS = [
  "API key first used",
  "API key minted",
  "API key revoked",
  "Admin added",
  "Admin removed",
  "Admin signed in for the first time",
  "Admin signed in",
  "Admin confirmed",
  "Admin signed out",
  "Client created",
  "Client enabled",
  "Client disabled",
  "Display name changed",
  "Policy changed",
  "Tenant key added",
  "Tenant key removed",
  "Origin added",
  "Origin removed",
  "Return URL added",
  "Return URL removed",
  "Preview origins switched on",
  "Preview origins switched off",
  "Preview return path added",
  "Preview return path removed",
  "Identity sign-in changed",
  "Application key issued",
  "Application key revoked",
  "Tester added",
  "Tester removed",
  "Registration created",
  "Registration changed",
  "Registration published",
  "Registration paused",
  "Registration disabled",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What the audit says of a panel session. */
export function sessionSummary(
  action: "Admin signed in" | "Admin confirmed" | "Admin signed out",
  email: string,
): string {
  const verb = {
    "Admin signed in": "signed in to the panel",
    "Admin confirmed": "confirmed who they are",
    "Admin signed out": "signed out of the panel",
  };
  return `${email} ${verb[action]}.`;
}

export type AuditTargetType = "API_KEY" | "ADMIN" | "CLIENT" | "REGISTRATION";

const KEY_ID_CHARACTERS_SHOWN = 8;

/** How the audit names what was done with a key of the admin API. Source: service description, part 5, admin rule 8. */
export function keyActorName(keyId: string): string {
  return `Via API key ${keyId.slice(0, KEY_ID_CHARACTERS_SHOWN)}`;
}

/** How the audit names what the command line and the service itself do. */
export const SYSTEM_ACTOR_NAME = "System";
