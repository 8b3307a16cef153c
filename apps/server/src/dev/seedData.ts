/** What every development set-up starts with. Names are made up; keys and secrets are each set-up's own. */

export const DEMO_APPLICATION = {
  slug: "demo-app",
  // As the example application calls itself: the name is what a person reads at the consent.
  displayName: "Atelier",
  tenantKeys: ["acme-studio", "globex-media"],
  returnPath: "/return",
  identityReturnPath: "/identity-return",
} as const;

/** A second application, to see that the two are kept apart. */
export const OTHER_APPLICATION = {
  slug: "other-app",
  displayName: "Other Studio",
  tenantKeys: ["other-tenant"],
  returnPath: "/return",
  identityReturnPath: "/identity-return",
} as const;

/** How the service is known at the simulator's providers and at its issuer. */
export const PROVIDER_CLIENT_ID = "social-connect-dev";
export const ISSUER_CLIENT_ID = "social-connect-dev";
export const ADMIN_EMAIL = "admin@example.test";
