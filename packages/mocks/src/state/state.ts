import type {
  AdminKeyScope,
  Availability,
  Capability,
  ConnectCreatorAction,
  ConnectionStatus,
  ConnectResultCode,
  ConnectSessionStatus,
  ContentKind,
  IdpIdentityStatus,
  JobErrorCode,
  JobStatus,
  MetricName,
  ObservationReason,
  RegistrationStatus,
  ScanIncompleteReason,
  SocialProvider,
} from "@social-connect/contract";
import type {
  AuditAction,
  AuditTargetType,
  JobKind,
  LookupTarget,
  StoredSyncStatus,
  SyncWindow,
} from "@social-connect/domain";
import type { RandomState } from "../util/random.ts";
import type { RecordedCall } from "./calls.ts";
import type { JobRun } from "./jobRun.ts";
import type { ProviderState } from "./providerState.ts";
import type { ServiceFaultRule } from "./serviceFaults.ts";

/**
 * All that the mock remembers, as plain records: dates, texts, numbers, lists and maps of these. A snapshot is this and
 * nothing else, so what is restored goes on exactly as it would have gone on.
 */
export interface MockState {
  readonly seed: string;
  random: RandomState;
  /** Milliseconds since 1970-01-01T00:00:00Z; with a clock that follows the machine's, how far it is ahead of that. */
  clockMs: number;
  /** No account publishes anything after this moment by itself. */
  readonly startedAt: Date;
  agenda: AgendaEntry[];
  /** Counts the entries of the agenda, so that what is due at one moment keeps its order. */
  agendaCount: number;

  readonly applications: Map<string, Application>;
  readonly applicationKeys: Map<string, ApplicationKey>;
  readonly registrations: Map<string, Registration>;
  readonly connectAttempts: Map<string, ConnectAttempt>;
  readonly identityAttempts: Map<string, IdentityAttempt>;
  readonly connections: Map<string, Connection>;
  readonly grants: Map<string, Grant>;
  readonly jobs: Map<string, Job>;
  /** Stored posts of each connection, by the provider's id. */
  readonly content: Map<string, Map<string, StoredPost>>;
  /** Revokes that have not settled, by the id of the revoke job. */
  readonly settlements: Map<string, Settlement>;
  /** Revokes that are under way, or ended no longer ago than a connect attempt lives. */
  readonly revocations: Map<string, Revocation>;
  /** Raised when a revoke begins and when it ends. */
  revocationCount: number;

  readonly members: Map<string, Member>;
  readonly adminKeys: Map<string, AdminKey>;
  /** What was done, the oldest first. */
  auditEntries: AuditEntry[];
  /** By the hash of their tokens. */
  readonly panelSessions: Map<string, PanelSession>;
  /** Admins on their way through the identity provider, by the hash of their state. */
  readonly panelSignIns: Map<string, PanelSignIn>;

  /** The other side: what the accounts at the three providers and at the identity provider are like. */
  readonly providers: ProviderState;
  /** Clients that somebody else is changing and does not come to an end with. */
  heldApplicationIds: string[];
  faults: ServiceFaultRule[];
  calls: RecordedCall[];
}

/** Something that happens when the clock gets there. */
export interface AgendaEntry {
  readonly atMs: number;
  readonly order: number;
  readonly what: "job" | "orphan" | "reads" | "sweep";
  /** The job, grant or connection it is about; empty for a sweep. */
  readonly id: string;
}

export interface Application {
  readonly id: string;
  slug: string;
  displayName: string;
  enabled: boolean;
  webOrigins: string[];
  returnUrls: string[];
  identityReturnUrls: string[];
  providers: SocialProvider[];
  capabilities: Capability[];
  tenantKeys: string[];
  previewOriginsEnabled: boolean;
  previewReturnPaths: string[];
  idpIdentityEnabled: boolean;
  /** Accounts that may connect in sandbox mode; `everyone` lets all in whose script does not say otherwise. */
  testers: "everyone" | { provider: SocialProvider; providerAccountId: string }[];
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface ApplicationKey {
  readonly id: string;
  readonly applicationId: string;
  /** SHA-256 of the secret, hexadecimal: a snapshot holds no key. */
  readonly secretHash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface Registration {
  readonly id: string;
  readonly provider: SocialProvider;
  status: RegistrationStatus;
  clientId: string;
  /** Written down by an admin; the mock calls none of them. */
  addresses: {
    authorization: string;
    token: string;
    revocation: string | null;
    api: string;
    issuer: string | null;
  };
  capabilities: Capability[];
  /** What is asked of the provider for each capability. */
  scopes: Record<Capability, string[]>;
  allApplications: boolean;
  applicationIds: string[];
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface ConnectAttempt {
  readonly id: string;
  readonly applicationId: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
  readonly provider: SocialProvider;
  readonly registrationId: string;
  readonly capabilities: Capability[];
  readonly returnUrl: string;
  reconnectConnectionId: string | null;
  status: ConnectSessionStatus;
  resultCode: ConnectResultCode | null;
  connectionId: string | null;
  creatorAction: ConnectCreatorAction | null;
  /** Its code was received in time, and the exchange begun. */
  isExchanged: boolean;
  readonly launchTokenHash: string;
  stateHash: string | null;
  browserHash: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly resultExpiresAt: Date;
}

export interface IdentityAttempt {
  readonly id: string;
  readonly applicationId: string;
  readonly tenantKey: string;
  readonly returnUrl: string;
  status: IdpIdentityStatus;
  readonly launchTokenHash: string;
  readonly resultProofHash: string;
  launchedAt: Date | null;
  /** The callback has been received, and its state is spent. */
  stateSpent: boolean;
  stateHash: string | null;
  browserHash: string | null;
  person: SignedInPerson | null;
  redeemedAt: Date | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly resultExpiresAt: Date;
}

export interface SignedInPerson {
  readonly issuer: string | null;
  readonly idpSub: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

export interface StoredProfile {
  readonly providerAccountId: string;
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
  readonly observedAt: Date;
}

export interface Connection {
  readonly id: string;
  readonly applicationId: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
  readonly provider: SocialProvider;
  registrationId: string;
  readonly providerAccountId: string;
  /** The provider's id of the person behind the account; null when it is not known. */
  providerUserKey: string | null;
  status: ConnectionStatus;
  syncStatus: StoredSyncStatus;
  capabilities: Capability[];
  profile: StoredProfile | null;
  lastSuccessfulSyncAt: Date | null;
  nextRetryAt: Date | null;
  nextScanAt: Date | null;
  nextProfileAt: Date | null;
  /** The revoke that it waits for while it is SUSPENDED. */
  suspendedByJobId: string | null;
  /** The person is known to have removed the app at the provider. */
  appRemovedAt: Date | null;
  revokeJobId: string | null;
  eraseJobId: string | null;
  readonly createdAt: Date;
  updatedAt: Date;
}

/** What a provider gave for a consent: a connection's, or an attempt's until the account is linked. */
export interface Grant {
  readonly id: string;
  attemptId: string | null;
  connectionId: string | null;
  registrationId: string;
  status: "PENDING" | "ACTIVE" | "GONE";
  /** The same grant on the provider's side. */
  providerGrantId: string;
  /** Whose it is, as far as that was read, on the grant of a failed attempt. */
  owner: { readonly providerAccountId: string; readonly providerUserKey: string | null } | null;
  version: number;
  accessTokenExpiresAt: Date | null;
  hasRefreshToken: boolean;
  refreshTokenExpiresAt: Date | null;
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface Job {
  readonly id: string;
  readonly kind: JobKind;
  readonly applicationId: string;
  readonly connectionId: string;
  /** A hash, so that a receipt says nothing of the subject once the connection is erased. */
  readonly scopeHash: string;
  readonly provider: SocialProvider;
  /** The service's own, which counts against no caller's limit. */
  readonly background: boolean;
  status: JobStatus;
  attempt: number;
  failures: number;
  errorCode: JobErrorCode | null;
  creatorAction: ConnectCreatorAction | null;
  nextRetryAt: Date | null;
  readonly createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** When the agenda is to look at it again; entries for another moment are stale. */
  dueAtMs: number | null;
  /** What an attempt under way has done so far; null between attempts. */
  run: JobRun | null;

  readonly window: SyncWindow | null;
  readonly targetContentId: string | null;
  readonly lookup: LookupTarget | null;
  readonly continuesJobId: string | null;
  /** Where the provider's listing goes on; null where there is nowhere to go on to. */
  listingCursor: ListingCursor | null;
  itemsObserved: number;
  coveredSince: Date | null;
  completeForWindow: boolean | null;
  incompleteReason: ScanIncompleteReason | ObservationReason | null;
  resultProviderContentId: string | null;
  /** An erasure's: how many of what were deleted, never what. */
  deletedCounts: Record<string, number> | null;
}

/** A place in a provider's listing: a number of entries walked over, or a moment that comes next. */
export interface ListingCursor {
  readonly at: number;
  /** Last post handed out of a page that was cut. */
  readonly lastId: string | null;
  /** Pages without anything recent, or posts walked over, as far as the provider's listing has an end of its own. */
  readonly walked: number;
}

export interface MetricReading {
  readonly name: MetricName;
  readonly value: string | null;
  readonly availability: Availability;
  readonly reason: ObservationReason | null;
  readonly sourceField: string | null;
}

/** A post as a provider showed it at one moment. */
export interface Observation {
  readonly providerContentId: string;
  readonly kind: ContentKind;
  readonly canonicalUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly publishedAt: Date | null;
  readonly availability: Availability;
  readonly reason: ObservationReason | null;
  readonly metrics: readonly MetricReading[];
}

export interface StoredPost extends Observation {
  readonly id: string;
  readonly observedAt: Date;
}

export interface Settlement {
  readonly revokeJobId: string;
  readonly applicationId: string;
  readonly provider: SocialProvider;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** A revoke at a provider, by the keys under which it can concern a grant. */
export interface Revocation {
  /** The revoke job, or the grant of a failed attempt. */
  readonly id: string;
  readonly applicationId: string;
  readonly provider: SocialProvider;
  readonly keys: readonly string[];
  /** What the counter stood at when it began, or when it ended. */
  generation: number;
  isEnded: boolean;
  endedAt: Date | null;
}

/** An admin: an e-mail address, and from the first sign-in on one account at the identity provider. */
export interface Member {
  readonly id: string;
  readonly email: string;
  issuer: string | null;
  subject: string | null;
  boundAt: Date | null;
  readonly addedAt: Date;
  readonly addedBy: string;
}

export interface AdminKey {
  readonly id: string;
  /** Counts the keys as they are minted. */
  readonly order: number;
  readonly memberId: string;
  readonly createdBy: string;
  readonly label: string;
  readonly scope: AdminKeyScope;
  readonly secretHash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  firstUsedAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface AuditEntry {
  readonly id: string;
  /** Counts the entries as they are written. */
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

export interface PanelSession {
  readonly tokenHash: string;
  readonly memberId: string;
  readonly authenticatedAt: Date;
  lastSeenAt: Date;
  readonly expiresAt: Date;
}

export interface PanelSignIn {
  readonly id: string;
  readonly browserHash: string;
  /** The session that is to be confirmed; null for a sign-in. */
  readonly sessionHash: string | null;
  readonly returnPath: string;
  readonly expiresAt: Date;
}
