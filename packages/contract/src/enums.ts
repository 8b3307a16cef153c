/**
 * Every enumeration of the consumer API, as data. The GraphQL schema, the pure rules, the SDKs and the mocks all read
 * these arrays, so a value is written down once. Source: service description, part 2.
 */

/** The providers at which an account can be linked; which company is behind each is the deployment's configuration. */
export const SOCIAL_PROVIDERS = ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const;
export type SocialProvider = (typeof SOCIAL_PROVIDERS)[number];

/** What an application may ask a person for, and read of a connection. */
export const CAPABILITIES = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Whether a capability, a post or a number can be had. */
export const AVAILABILITIES = ["AVAILABLE", "UNSUPPORTED", "NOT_GRANTED", "UNAVAILABLE"] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** The numbers of a post. */
export const METRIC_NAMES = ["VIEWS", "LIKES", "COMMENTS", "SHARES"] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

/** What a post consists of. */
export const CONTENT_KINDS = ["VIDEO", "IMAGE", "CAROUSEL", "UNKNOWN"] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** What only the person can do, at the provider. */
export const CONNECT_CREATOR_ACTIONS = ["REMOVE_APP_AT_PROVIDER"] as const;
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
export type ConnectSessionStatus = (typeof CONNECT_SESSION_STATUSES)[number];

/** States of a connection. */
export const CONNECTION_STATUSES = [
  "CONNECTED",
  "SUSPENDED",
  "RECONNECT_REQUIRED",
  "DISCONNECTED",
  "DELETING",
] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** How reading a connection's content stands. */
export const SYNC_STATUSES = ["PENDING", "RUNNING", "READY", "PARTIAL", "STALE", "FAILED"] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

/** States of a job; the first two are unfinished. */
export const JOB_STATUSES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELED"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** States of an attempt at the identity handoff; only PENDING is unfinished. */
export const IDP_IDENTITY_STATUSES = ["PENDING", "COMPLETED", "DENIED", "FAILED", "EXPIRED"] as const;
export type IdpIdentityStatus = (typeof IDP_IDENTITY_STATUSES)[number];

/** Scopes of an admin key. Source: service description, part 5, admin rule 3. */
export const ADMIN_KEY_SCOPES = ["READ", "WRITE"] as const;
export type AdminKeyScope = (typeof ADMIN_KEY_SCOPES)[number];

/** What may call an admin operation: any key, a WRITE key, or the panel alone. Source: service description, part 4. */
export const ADMIN_OPERATION_CLASSES = ["READ", "WRITE", "PANEL"] as const;
export type AdminOperationClass = (typeof ADMIN_OPERATION_CLASSES)[number];

/** States of a provider registration. */
export const REGISTRATION_STATUSES = ["DRAFT", "PUBLISHED", "PAUSED", "DISABLED"] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];
