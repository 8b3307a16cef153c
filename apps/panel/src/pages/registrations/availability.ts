/** Why no account can be connected at a provider, in words; by the service's reason. */
export const AVAILABILITY_REASONS: Readonly<Record<string, string>> = {
  NO_REGISTRATION: "Not registered",
  REGISTRATION_DRAFT: "Still a draft",
  REGISTRATION_PAUSED: "Paused",
  REGISTRATION_DISABLED: "Disabled",
};
