/** The enumerations of the API as data, shared by the GraphQL schema, the domain rules, the SDKs and the mocks. */

/** The providers at which an account can be linked: YouTube, TikTok and Instagram. */
export const SOCIAL_PROVIDERS = ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const;
/** A provider: PROVIDER_A is YouTube, PROVIDER_B is TikTok, PROVIDER_C is Instagram. */
export type SocialProvider = (typeof SOCIAL_PROVIDERS)[number];

/** What an application can request of a user and read from a connection. */
export const CAPABILITIES = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;
/** A capability of an application or a connection. */
export type Capability = (typeof CAPABILITIES)[number];

/** Whether a capability, a post or a metric is available. */
export const AVAILABILITIES = ["AVAILABLE", "UNSUPPORTED", "NOT_GRANTED", "UNAVAILABLE"] as const;
/** Available, not supported by the provider, not granted by the user, or currently unavailable. */
export type Availability = (typeof AVAILABILITIES)[number];

/** The metrics of a post. */
export const METRIC_NAMES = ["VIEWS", "LIKES", "COMMENTS", "SHARES"] as const;
/** A metric of a post. */
export type MetricName = (typeof METRIC_NAMES)[number];

/** The kinds of posts. */
export const CONTENT_KINDS = ["VIDEO", "IMAGE", "CAROUSEL", "UNKNOWN"] as const;
/** The kind of a post. */
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** Actions that only the user can take, at the provider. */
export const CONNECT_CREATOR_ACTIONS = ["REMOVE_APP_AT_PROVIDER"] as const;
/** The action that remains for the user at the provider. */
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
/** The status of a connect attempt. */
export type ConnectSessionStatus = (typeof CONNECT_SESSION_STATUSES)[number];

/** States of a connection. */
export const CONNECTION_STATUSES = [
  "CONNECTED",
  "SUSPENDED",
  "RECONNECT_REQUIRED",
  "DISCONNECTED",
  "DELETING",
] as const;
/** Whether a connection can be used, must be reconnected, or is disconnected. */
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** States of reading a connection's posts. */
export const SYNC_STATUSES = ["PENDING", "RUNNING", "READY", "PARTIAL", "STALE", "FAILED"] as const;
/** Whether a connection's posts are up to date. */
export type SyncStatus = (typeof SYNC_STATUSES)[number];

/** States of a job; the first two are unfinished. */
export const JOB_STATUSES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELED"] as const;
/** The status of a job. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** States of an attempt at the identity handoff; only PENDING is unfinished. */
export const IDP_IDENTITY_STATUSES = ["PENDING", "COMPLETED", "DENIED", "FAILED", "EXPIRED"] as const;
/** The status of an identity handoff. */
export type IdpIdentityStatus = (typeof IDP_IDENTITY_STATUSES)[number];

/** Scopes of an admin key. */
export const ADMIN_KEY_SCOPES = ["READ", "WRITE"] as const;
/** The scope of an admin key. */
export type AdminKeyScope = (typeof ADMIN_KEY_SCOPES)[number];

/** Access to an admin operation: any key, a WRITE key, or only the panel. */
export const ADMIN_OPERATION_CLASSES = ["READ", "WRITE", "PANEL"] as const;
/** Who may call an admin operation: any key, a WRITE key, or only an admin in the panel. */
export type AdminOperationClass = (typeof ADMIN_OPERATION_CLASSES)[number];

/** States of a provider registration. */
export const REGISTRATION_STATUSES = ["DRAFT", "PUBLISHED", "PAUSED", "DISABLED"] as const;
/** The status of a provider registration. */
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];
