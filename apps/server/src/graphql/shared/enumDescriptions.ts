import {
  type AdminKeyScope,
  type Availability,
  type Capability,
  type ConnectCreatorAction,
  type ConnectionStatus,
  type ConnectSessionStatus,
  type ContentKind,
  type IdpIdentityStatus,
  type JobStatus,
  LIMITS,
  type MetricName,
  type RegistrationStatus,
  SOCIAL_PROVIDERS,
  type SocialProvider,
  type SyncStatus,
} from "@social-connect/contract";
import { durationText, platformName } from "@social-connect/domain";

/** An enum for Pothos; a value with an empty description has none. */
export function enumOf<Value extends string>(description: string, descriptions: Readonly<Record<Value, string>>) {
  const values = Object.entries<string>(descriptions).map(([value, description]) => [
    value,
    { value, description: description || undefined },
  ]);
  return { description, values: Object.fromEntries(values) as { [Each in Value]: { value: Each } } };
}

export const SOCIAL_PROVIDER = enumOf<SocialProvider>(
  `A social provider: ${SOCIAL_PROVIDERS.map((provider) => `${provider} is ${platformName(provider)}`).join(", ")}. What each offers: https://github.com/social-connect/social-connect/blob/main/docs/reference/providers.md`,
  Object.fromEntries(SOCIAL_PROVIDERS.map((provider) => [provider, `${platformName(provider)}.`])) as Record<
    SocialProvider,
    string
  >,
);
export const CAPABILITY = enumOf<Capability>("What an application can do with a connection.", {
  PROFILE: "Read the account's name, picture and description.",
  CONTENT_LIST: "List the account's posts.",
  CONTENT_LOOKUP: "Find a post by its URL.",
  CONTENT_METRICS: "Read the metrics of posts.",
});
export const AVAILABILITY = enumOf<Availability>("Whether a capability, a post or a metric is available.", {
  AVAILABLE: "Available now.",
  UNSUPPORTED: "The provider never offers it.",
  NOT_GRANTED: "The user did not consent to it.",
  UNAVAILABLE: "Not available at present; `reason` says why.",
});
export const METRIC_NAME = enumOf<MetricName>("What a metric of a post counts.", {
  VIEWS: "",
  LIKES: "",
  COMMENTS: "",
  SHARES: "",
});
export const CONTENT_KIND = enumOf<ContentKind>("The kind of media in a post.", {
  VIDEO: "",
  IMAGE: "",
  CAROUSEL: "Several images or videos.",
  UNKNOWN: "A kind that the service does not know.",
});
export const CONNECT_CREATOR_ACTION = enumOf<ConnectCreatorAction>("What the user has to do at the provider.", {
  REMOVE_APP_AT_PROVIDER: "Remove the app in the provider's account settings: its access may still be active there.",
});
export const CONNECT_SESSION_STATUS = enumOf<ConnectSessionStatus>(
  "The state of a connect attempt. CREATED, AUTHORIZING and EXCHANGING are pending; the others are final.",
  {
    CREATED: "The browser has not posted the launch token yet.",
    AUTHORIZING: "The user is on the provider's consent page.",
    EXCHANGING: "The service is exchanging the provider's authorization code.",
    COMPLETED: "The account is connected.",
    DENIED: "The user declined.",
    FAILED: "The attempt failed; `resultCode` says why.",
    EXPIRED: "The user did not finish before `expiresAt`.",
    CANCELED: "Ended early, for example by a newer attempt; `resultCode` says why.",
  },
);
export const CONNECTION_STATUS = enumOf<ConnectionStatus>("The state of a connection.", {
  CONNECTED: "The connection can be used.",
  SUSPENDED: "Access is paused. It can resume without the user.",
  RECONNECT_REQUIRED: "The provider no longer accepts the grant. The user has to connect again.",
  DISCONNECTED: "Access has ended; the connection is going to be erased.",
  DELETING: "The connection's data is being erased.",
});
export const SYNC_STATUS = enumOf<SyncStatus>("How current the stored posts of a connection are.", {
  PENDING: "No scan has run yet.",
  RUNNING: "A scan is in progress.",
  READY: "The last scan covered its window.",
  PARTIAL: "The last scan did not cover its whole window.",
  STALE: `No scan has succeeded in the last ${durationText(LIMITS.scanFreshMs)}, or the connection cannot be read.`,
  FAILED: "The last scan failed.",
});
export const JOB_STATUS = enumOf<JobStatus>(
  "The state of a job. QUEUED and RUNNING are pending; the others are final.",
  {
    QUEUED: "Waiting to run, or to be retried at `nextRetryAt`.",
    RUNNING: "",
    SUCCEEDED: "",
    FAILED: "`errorCode` says why.",
    CANCELED: "The connection was disconnected before the job finished.",
  },
);
export const IDP_IDENTITY_STATUS = enumOf<IdpIdentityStatus>(
  "The state of a sign-in at the identity provider. All but PENDING are final.",
  {
    PENDING: "The user has not finished. The proof stays valid.",
    COMPLETED: "The user has signed in.",
    DENIED: "The user declined.",
    FAILED: "The sign-in failed.",
    EXPIRED: "The user did not finish before `expiresAt`.",
  },
);
export const REGISTRATION_STATUS = enumOf<RegistrationStatus>("The state of a provider registration.", {
  DRAFT: "Not in use yet.",
  PUBLISHED: "In use.",
  PAUSED: "Temporarily out of use: reads of its connections fail with AUTHORIZATION_SUSPENDED.",
  DISABLED: "Permanently out of use: reads of its connections fail with CAPABILITY_UNAVAILABLE.",
});
export const API_KEY_SCOPE = enumOf<AdminKeyScope>("What an API key may do.", {
  READ: "Call queries.",
  WRITE: "Call queries and mutations that are not restricted to the panel.",
});
