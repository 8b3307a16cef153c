/** Labels for the service's reasons why a provider is unavailable. */
export const AVAILABILITY_REASONS: Readonly<Record<string, string>> = {
  NO_REGISTRATION: "Not registered",
  REGISTRATION_DRAFT: "Still a draft",
  REGISTRATION_PAUSED: "Paused",
  REGISTRATION_DISABLED: "Disabled",
};
