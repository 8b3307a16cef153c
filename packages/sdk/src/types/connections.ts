import type { Availability, Capability, ConnectionStatus, Open, SocialProvider, SyncStatus } from "./enumerations.ts";

/** Whether a connection can do one of the things that were granted. */
export interface CapabilityState {
  /** What was granted. */
  readonly capability: Open<Capability>;
  /** Whether it works now. */
  readonly availability: Availability;
  /** Why not: an error code, for example `RECONNECT_REQUIRED`. */
  readonly reason: string | null;
}

/** How an account shows itself at its provider. */
export interface Profile {
  /** The provider's own id of the account. */
  readonly providerAccountId: string;
  /** The name that the provider shows. */
  readonly displayName: string | null;
  /** The name in addresses and mentions. */
  readonly handle: string | null;
  /** A picture; its address may end at the provider after some time. */
  readonly avatarUrl: string | null;
  /** The account's public page. */
  readonly profileUrl: string | null;
  /** What the account says of itself. */
  readonly description: string | null;
  /** When the service last read this. ISO 8601. */
  readonly observedAt: string;
}

/** A linked account. */
export interface Connection {
  /** Stays the same when the person connects again. */
  readonly id: string;
  /** Where the account is. */
  readonly provider: Open<SocialProvider>;
  /** The provider's own id of the account. */
  readonly providerAccountId: string;
  /** Whether it can be used. */
  readonly status: ConnectionStatus;
  /** How the reading of its posts stands. */
  readonly syncStatus: SyncStatus;
  /** One entry for each capability that was granted. */
  readonly capabilities: readonly CapabilityState[];
  /** Null unless the connection is CONNECTED, PROFILE is available and the profile is under 30 days old. */
  readonly profile: Profile | null;
  /** When its posts were last read with success; null unless CONNECTED. ISO 8601. */
  readonly lastSuccessfulSyncAt: string | null;
  /** When a reading that failed is tried again; null unless CONNECTED. ISO 8601. */
  readonly nextRetryAt: string | null;
}

/** A part of the list of connections. It can hold fewer than asked for, or none, while there are more. */
export interface ConnectionPage {
  /** The connections of this page. */
  readonly items: readonly Connection[];
  /** How to go on. */
  readonly pageInfo: ConnectionPageInfo;
}

/** How to go on after a page of connections. */
export interface ConnectionPageInfo {
  /** For the next page; null when nothing follows. */
  readonly endCursor: string | null;
  /** Whether there are more. */
  readonly hasNextPage: boolean;
}
