import type {
  ConnectionStatus,
  JobErrorCode,
  ObservationReason,
  RegistrationStatus,
  ScanIncompleteReason,
  SocialProvider,
} from "@social-connect/contract";
import type {
  AuditAction,
  AuditTargetType,
  CallRefusals,
  Client,
  ConnectionCause,
  ContentObservation,
  GrantOwner,
  JobRow,
  LookupTarget,
  NewAdmin,
  NewApiKey,
  NewConnectAttempt,
  NewConnection,
  NewCredential,
  NewIdentityAttempt,
  NewRegistration,
  NewRevocation,
  NewTester,
  QuotaOverride,
  RegistrationRefusals,
  RevokeSettlement,
  SignedInUser,
  StoredSyncStatus,
  SyncWindow,
  WaitReason,
} from "@social-connect/domain";
import type { RandomState } from "@social-connect/provider-fixtures";
import type { EventDelivery, EventEndpoint, EventFaultRule, SentEvent, StoredEvent } from "./events.ts";
import type { JobRun } from "./jobRun.ts";
import type { RecordedCall } from "./providerCall.ts";
import type { ProviderState } from "./providerState.ts";
import type { ServiceFaultRule } from "./serviceFaults.ts";

/** The complete state as plain data: dates, strings, numbers, lists and maps. A snapshot serializes it. */
export interface MockState {
  readonly seed: string;
  random: RandomState;
  /**
   * Milliseconds since 1970-01-01T00:00:00Z: the time of a manual clock, and the time at which a running clock was last
   * set. With the system clock, the offset from it.
   */
  clockMs: number;
  /** Accounts have no generated posts after this time. */
  readonly startedAt: Date;
  /** Ordered by time, and by the order of scheduling. */
  schedule: ScheduledTask[];

  readonly applications: Map<string, Application>;
  readonly applicationKeys: Map<string, ApplicationKey>;
  readonly registrations: Map<string, Registration>;
  readonly connectAttempts: Map<string, ConnectAttempt>;
  readonly identityAttempts: Map<string, IdentityAttempt>;
  readonly connections: Map<string, Connection>;
  readonly grants: Map<string, Grant>;
  readonly jobs: Map<string, Job>;
  /** Stored posts of each connection, by the provider's post id. */
  readonly content: Map<string, Map<string, StoredPost>>;
  /** Unsettled revokes, by the id of the revoke job. */
  readonly settlements: Map<string, RevokeSettlement>;
  /** Requests of providers to delete a person's data, by confirmation code. */
  readonly dataDeletions: Map<string, DataDeletion>;
  /** Pending revokes, and revokes that ended within the lifetime of a connect attempt. */
  readonly revocations: Map<string, Revocation>;
  /** Incremented when a revoke starts and when it ends. */
  revocationCount: number;

  readonly eventEndpoints: Map<string, EventEndpoint>;
  /** What happened since an application has an endpoint, oldest first. */
  readonly events: Map<string, StoredEvent>;
  readonly eventDeliveries: Map<string, EventDelivery>;
  eventFaults: EventFaultRule[];
  sentEvents: SentEvent[];

  readonly members: Map<string, Member>;
  readonly adminKeys: Map<string, AdminKey>;
  /** The audit log, oldest first. */
  auditEntries: AuditEntry[];

  /** State of the simulated providers and of the identity provider. */
  readonly providers: ProviderState;
  /** Clients that a test has locked against changes. */
  heldApplicationIds: string[];
  faults: ServiceFaultRule[];
  calls: RecordedCall[];
}

/** A task that runs at a time of the clock. */
export interface ScheduledTask {
  readonly atMs: number;
  readonly what: "job" | "orphan" | "reads" | "sweep" | "delivery" | "expiry";
  /** Id of the job, grant, connection or delivery; empty for a sweep and an expiry. */
  readonly id: string;
}

/** A record as the domain decides it; use cases assign its later changes. */
type Stored<Row> = { -readonly [Column in keyof Row]: Row[Column] };

export interface Application extends Stored<Client> {
  /** Accounts that may connect in sandbox mode; `everyone` allows all except `not-a-tester`. */
  testers: "everyone" | NewTester[];
}

export interface ApplicationKey extends NewCredential {
  /** SHA-256 of the secret in hexadecimal: a snapshot contains no key. */
  readonly secretHash: string;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface Registration extends Stored<Omit<NewRegistration, "status" | "addresses">> {
  status: RegistrationStatus;
  /** Calls that the provider refuses for most connections. */
  refusals?: RegistrationRefusals;
  /** Set by an admin; the mock's providers have no quotas. */
  quota: QuotaOverride | null;
  /** Set by an admin; the mock never calls them. */
  addresses: {
    authorization: string;
    token: string;
    revocation: string | null;
    api: string;
    issuer: string | null;
  };
}

export interface ConnectAttempt extends Stored<NewConnectAttempt> {
  readonly id: string;
  /** The revocation counter when the code exchange started; null before. */
  exchangeGeneration: number | null;
  readonly launchTokenHash: string;
  stateHash: string | null;
  browserHash: string | null;
}

export interface IdentityAttempt extends Stored<NewIdentityAttempt> {
  readonly id: string;
  readonly launchTokenHash: string;
  readonly resultProofHash: string;
  /** The callback has used the state. */
  isStateUsed: boolean;
  stateHash: string | null;
  browserHash: string | null;
  user: SignedInUser | null;
}

export interface Connection extends Stored<Omit<NewConnection, keyof ChangedColumns>>, ChangedColumns {
  nextScanAt: Date | null;
  nextProfileAt: Date | null;
  revokeJobId: string | null;
  eraseJobId: string | null;
}

/** The columns of a connection that are not as in a new one. */
interface ChangedColumns {
  status: ConnectionStatus;
  syncStatus: StoredSyncStatus;
  scanErrorCode: JobErrorCode | null;
  lastSuccessfulSyncAt: Date | null;
  nextRetryAt: Date | null;
  /** Why it is not read, and since when. */
  cause: ConnectionCause | null;
  causeSince: Date | null;
  /** The revoke job that suspends it while it is SUSPENDED. */
  suspendedByJobId: string | null;
  /** When the provider reported that the person removed the app. */
  appRemovedAt: Date | null;
  /** When the provider first said that the account cannot be read; null when the latest read succeeded. */
  unreadableSince: Date | null;
  /** When the provider last responded to a read. */
  triedAt: Date | null;
  /** Calls that the provider refuses with a code that the service does not know. */
  refusals: CallRefusals;
}

/** Credentials of a consent. They belong to the attempt until the account is linked, then to the connection. */
export interface Grant {
  readonly id: string;
  attemptId: string | null;
  connectionId: string | null;
  registrationId: string;
  status: "PENDING" | "ACTIVE" | "GONE";
  /** The simulated provider's record of the grant. */
  providerGrantId: string;
  /** The account, when known, on the grant of a failed attempt. */
  owner: GrantOwner | null;
  version: number;
  accessTokenExpiresAt: Date | null;
  hasRefreshToken: boolean;
  refreshTokenExpiresAt: Date | null;
  /** A refresh was not answered: the provider may have replaced the token. */
  renewalUnanswered?: boolean;
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface DataDeletion {
  readonly requestedAt: Date;
  readonly connectionIds: readonly string[];
}

export interface Job extends Stored<Omit<JobRow, "incompleteReason" | "continuationCursor">> {
  readonly id: string;
  readonly applicationId: string;
  readonly connectionId: string;
  /** A hash, so that a receipt does not identify the subject after erasure. */
  readonly scopeHash: string;
  readonly provider: SocialProvider;
  /** Started by the service; it does not count toward limits of callers. */
  readonly background: boolean;
  requested: boolean;
  attempt: number;
  failures: number;
  waitReason: WaitReason | null;
  startedAt: Date | null;
  /** The time of its next step; scheduled tasks with another time are stale. */
  dueAtMs: number | null;
  /** Progress of the running attempt; null between attempts. */
  run: JobRun | null;

  readonly window: SyncWindow | null;
  readonly targetContentId: string | null;
  readonly lookup: LookupTarget | null;
  readonly continuesJobId: string | null;
  /** The next page of the provider's listing; null after the last one. */
  listingCursor: ListingCursor | null;
  itemsObserved: number;
  coveredSince: Date | null;
  incompleteReason: ScanIncompleteReason | ObservationReason | null;
}

/** A position in a provider's listing: an offset or a publication time. */
export interface ListingCursor {
  readonly at: number;
  /** Posts after this position that were returned. */
  readonly done: readonly string[];
  /** Consecutive posts that are older than the window, and pages of nothing else. */
  readonly oldPosts: number;
  readonly oldPages: number;
  /** A second had more posts than a page, so some of them were not listed. */
  readonly skipped: boolean;
  /** How often the provider did not find this position. */
  readonly missing?: number;
}

export interface StoredPost extends ContentObservation {
  readonly id: string;
  readonly observedAt: Date;
  /** When the provider last said something about its numbers; absent: with the post. */
  readonly metricsObservedAt?: Date;
}

/** A revoke at a provider, with the hashes of the keys of the grants that it may end. */
export interface Revocation extends Stored<Omit<NewRevocation, "keys">> {
  readonly keys: readonly string[];
  /** The revocation counter when it started, or when it ended. */
  generation: number;
  isEnded: boolean;
}

/** An admin: an email address. No one signs in to a mock, so it is bound to no account at the identity provider. */
export type Member = NewAdmin;

export interface AdminKey extends NewApiKey {
  /** Number of the key in order of creation. */
  readonly order: number;
  readonly secretHash: string;
  firstUsedAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface AuditEntry {
  readonly id: string;
  /** Number of the entry in order of creation. */
  readonly order: number;
  readonly at: Date;
  readonly actor: string;
  readonly apiKeyId: string | null;
  readonly action: AuditAction;
  readonly targetType: AuditTargetType;
  readonly targetId: string;
  readonly clientSlug: string | null;
  readonly summary: string;
}
