/** The initial data of a development environment. Names are invented; keys and secrets differ per environment. */

export const DEMO_APPLICATION = {
  slug: "demo-app",
  // The example application's own name, which users read at the consent.
  displayName: "Atelier",
  tenantKeys: ["acme-studio", "globex-media"],
  returnPath: "/return",
  identityReturnPath: "/identity-return",
} as const;

/** A second application, to test that the two are isolated. */
export const OTHER_APPLICATION = {
  slug: "other-app",
  displayName: "Other Studio",
  tenantKeys: ["other-tenant"],
  returnPath: "/return",
  identityReturnPath: "/identity-return",
} as const;

/** The service's clients at the simulated providers and issuer. */
export const PROVIDER_CLIENT_ID = "social-connect-dev";
export const ISSUER_CLIENT_ID = "social-connect-dev";
/** The client of an integrator's own sign-in. Its secret protects nothing: everyone may sign in at the simulated issuer. */
export const SIGN_IN_CLIENT = { clientId: "my-app", clientSecret: "my-app-secret" } as const;
export const ADMIN_EMAIL = "admin@example.test";
