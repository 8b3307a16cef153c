/** The consumer SDK of Social Connect: everything exported here is public and follows semver. */
// biome-ignore-all assist/source/organizeImports: the last type of a name keeps it in the bundled declarations, so the generated types come first
export type { ConnectSession } from "./wire/subjectRequests.ts";
export type {
  CallOptions,
  Clock,
  ErrorKind,
  Fetch,
  FetchAnswer,
  FetchInit,
  KeySource,
  Paged,
  ProtocolProblem,
  SecretText,
} from "@social-connect/sdk-core";
export {
  ConfigurationError,
  ProtocolError,
  Secret,
  SocialConnectError,
  TimeoutError,
  TransportError,
} from "@social-connect/sdk-core";
export { SocialConnect } from "./client.ts";
export type { IdpIdentityRedeem, IdpIdentityRequest, IdpIdentitySession } from "./identity.ts";
export type { Launchable, LaunchPageOptions } from "./launchPage.ts";
export { LaunchPage, launchPage } from "./launchPage.ts";
export type { ConnectResultPoller } from "./pollers/connectResult.ts";
export type { Disconnection, RevokeOutcome } from "./pollers/disconnection.ts";
export type { JobPoller } from "./pollers/job.ts";
export type { Poller, WaitOptions, WatchOptions } from "./pollers/poller.ts";
export type { RefreshPoller, ScanSummary } from "./pollers/refresh.ts";
export type { ResumedPollers } from "./pollers/resume.ts";
export type { SavedKind, SavedPoller } from "./pollers/saved.ts";
export type { ConnectRequest, Moment, PublishedWindow, RefreshRequest, ScanWindow, Subject } from "./subject.ts";
export type * from "./types/connecting.ts";
export type * from "./types/connections.ts";
export type * from "./types/content.ts";
export type * from "./types/enumerations.ts";
export type * from "./types/identity.ts";
export type * from "./types/jobs.ts";
export type * from "./types/service.ts";
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./wire/hooks.ts";
export type { OperationName } from "./wire/operations.ts";
export {
  AuthorizationSuspendedError,
  BadUserInputError,
  CapabilityUnavailableError,
  DisconnectInProgressError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  ReconnectRequiredError,
  ServiceError,
  SyncWindowBusyError,
  UnauthenticatedError,
  UpstreamUnavailableError,
} from "./wire/serviceErrors.ts";
export type { SocialConnectOptions } from "./wire/settings.ts";
