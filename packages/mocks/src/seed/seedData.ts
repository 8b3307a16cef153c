import type { Capability, SocialProvider } from "@social-connect/contract";
import type { NewPost } from "../control/accountControl.ts";
import type { EventEndpointData } from "../control/eventsControl.ts";
import type { FaultData } from "../control/faultsControl.ts";
import type { ProviderFaultData } from "../control/providerFaultsControl.ts";
import type { Visibility } from "../state/providerState.ts";

/** A post of an account. */
export interface SeedPost extends NewPost {
  /** Who may see it at the provider; `public` by default. */
  readonly visibility?: Visibility;
}

/** Posts of an account, in addition to the posts that follow from the seed. */
export interface SeedAccount {
  /** The provider of the account. */
  readonly provider: SocialProvider;
  /** Its name at consent. */
  readonly name: string;
  /** Its posts, in the order of publication. */
  readonly posts?: readonly SeedPost[];
}

/** Statuses of an account that the data links. */
export const SEED_STATUSES = ["CONNECTED", "SUSPENDED", "RECONNECT_REQUIRED", "DISCONNECTED"] as const;

/** A linked account. */
export interface SeedConnection {
  /** The provider of the account. */
  readonly provider: SocialProvider;
  /** Its name at consent; `channel-1` by default. */
  readonly account?: string;
  /** A tenant of the application; its first one by default. */
  readonly tenantKey?: string;
  /** The user of the application; `user-1` by default. */
  readonly externalSubjectId?: string;
  /** The granted capabilities; all of the application by default. */
  readonly capabilities?: readonly Capability[];
  /** `CONNECTED` by default. */
  readonly status?: (typeof SEED_STATUSES)[number];
  /** False leaves the first reads queued, as directly after the consent; true by default. */
  readonly read?: boolean;
}

/** The service's registration at a provider. */
export interface SeedRegistration {
  /** Its provider. */
  readonly provider: SocialProvider;
  /** `PUBLISHED` by default. */
  readonly status?: "PUBLISHED" | "PAUSED" | "DISABLED";
  /** The capabilities that it serves; all by default. */
  readonly capabilities?: readonly Capability[];
}

/** The data that a mock starts with, and that `reset` restores. Everything follows from the seed. */
export interface SeedData {
  /** Posts of accounts, whether or not an account is linked. */
  readonly accounts?: readonly SeedAccount[];
  /** Linked accounts. */
  readonly connections?: readonly SeedConnection[];
  /** Registrations that are not published, or that do not serve every capability. They change after accounts are linked. */
  readonly registrations?: readonly SeedRegistration[];
  /** Faults of requests. */
  readonly faults?: readonly FaultData[];
  /** Faults of calls at providers. */
  readonly providerFaults?: readonly ProviderFaultData[];
  /** Event endpoints of the default application. They receive what happens from the start of the clock. */
  readonly eventEndpoints?: readonly EventEndpointData[];
}

export const SEED_DATA = {
  accounts: "any",
  connections: "any",
  registrations: "any",
  faults: "any",
  providerFaults: "any",
  eventEndpoints: "any",
} as const satisfies Record<keyof SeedData, unknown>;
