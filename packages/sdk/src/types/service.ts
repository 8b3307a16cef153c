import type { Open, SocialProvider } from "./enumerations.ts";

/** Whose accounts: a tenant registered for the application and the application's own stable id of its user. */
export interface SubjectScope {
  /** 1 to 128 characters. */
  readonly tenantKey: string;
  /** 1 to 128 characters. Taken from the application's own sign-in, never from a request's parameters. */
  readonly externalSubjectId: string;
}

/** Whether the service is alive. */
export interface ApiStatus {
  /** True when it is. */
  readonly ok: boolean;
  /** A word on it, for people. */
  readonly message: string;
}

/** Whether an attempt could be started now: a check of settings, no promise that a consent succeeds. */
export interface IntegrationReadiness {
  /** One entry for each provider. */
  readonly providers: readonly ProviderReadiness[];
  /** Whether the application can start an identity handoff. */
  readonly idpIdentityAvailable: boolean;
}

/** Whether accounts at one provider can be connected. */
export interface ProviderReadiness {
  /** The provider. */
  readonly provider: Open<SocialProvider>;
  /** When false, show the button as out of use. */
  readonly available: boolean;
}
