/**
 * Every enumeration of the consumer API, as data. The GraphQL schema, the pure rules, the SDKs and the mocks all read
 * these arrays, so a value is written down once. Source: service description, part 2.
 */

/** The providers at which an account can be linked; which company is behind each is the deployment's configuration. */
export const SOCIAL_PROVIDERS = ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const;
/** One of the three providers. */
export type SocialProvider = (typeof SOCIAL_PROVIDERS)[number];

/** What an application may ask a person for, and read of a connection. */
export const CAPABILITIES = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;
/** What a connection is asked for, and can do. */
export type Capability = (typeof CAPABILITIES)[number];

/** Whether a capability, a post or a number can be had. */
export const AVAILABILITIES = ["AVAILABLE", "UNSUPPORTED", "NOT_GRANTED", "UNAVAILABLE"] as const;
/** Whether something can be had: now, never at this provider, not with this consent, or not at present. */
export type Availability = (typeof AVAILABILITIES)[number];

/** The numbers of a post. */
export const METRIC_NAMES = ["VIEWS", "LIKES", "COMMENTS", "SHARES"] as const;
/** What a number of a post counts. */
export type MetricName = (typeof METRIC_NAMES)[number];

/** What a post consists of. */
export const CONTENT_KINDS = ["VIDEO", "IMAGE", "CAROUSEL", "UNKNOWN"] as const;
/** What a post is made of. */
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** What only the person can do, at the provider. */
export const CONNECT_CREATOR_ACTIONS = ["REMOVE_APP_AT_PROVIDER"] as const;
/** What is left for the person to do at the provider. */
export type ConnectCreatorAction = (typeof CONNECT_CREATOR_ACTIONS)[number];

/** States of an attempt to connect; the first three are unfinished. */
export const CONNECT_SESSION_STATUSES = [
  "CREATED",
  "AUTHORIZING",
  "EXCHANGING",
  "COMPLETED",
  "DENIED",
  "FAILED",
  "EXPIRED",
  "CANCELED",
] as const;
/** How far a connect attempt is. */
export type ConnectSessionStatus = (typeof CONNECT_SESSION_STATUSES)[number];

/** States of a connection. */
export const CONNECTION_STATUSES = [
  "CONNECTED",
  "SUSPENDED",
  "RECONNECT_REQUIRED",
  "DISCONNECTED",
  "DELETING",
] as const;
/** Whether a connection can be used, has to be renewed, or is on its way out. */
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** How reading a connection's content stands. */
export const SYNC_STATUSES = ["PENDING", "RUNNING", "READY", "PARTIAL", "STALE", "FAILED"] as const;
/** How the reading of a connection's posts stands. */
export type SyncStatus = (typeof SYNC_STATUSES)[number];

/** States of a job; the first two are unfinished. */
export const JOB_STATUSES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELED"] as const;
/** How far a job is. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** States of an attempt at the identity handoff; only PENDING is unfinished. */
export const IDP_IDENTITY_STATUSES = ["PENDING", "COMPLETED", "DENIED", "FAILED", "EXPIRED"] as const;
/** How far an identity handoff is. */
export type IdpIdentityStatus = (typeof IDP_IDENTITY_STATUSES)[number];

/** Scopes of an admin key. Source: service description, part 5, admin rule 3. */
export const ADMIN_KEY_SCOPES = ["READ", "WRITE"] as const;
/** What an admin key may do. */
export type AdminKeyScope = (typeof ADMIN_KEY_SCOPES)[number];

/** What may call an admin operation: any key, a WRITE key, or the panel alone. Source: service description, part 4. */
export const ADMIN_OPERATION_CLASSES = ["READ", "WRITE", "PANEL"] as const;
/** Who may call an admin operation: any key, a WRITE key, or an admin in the panel alone. */
export type AdminOperationClass = (typeof ADMIN_OPERATION_CLASSES)[number];

/** States of a provider registration. */
export const REGISTRATION_STATUSES = ["DRAFT", "PUBLISHED", "PAUSED", "DISABLED"] as const;
/** How far a registration at a provider is. */
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];
