/** The consumer SDK of Social Connect: everything exported here is public and follows semver. */
export { SocialConnect } from "./client.ts";
export type { Clock } from "./clock.ts";
export type { ErrorKind, ProtocolProblem } from "./errors.ts";
export { ConfigurationError, ProtocolError, SocialConnectError, TimeoutError, TransportError } from "./errors.ts";
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./hooks.ts";
export type { IdpIdentityRedeem, IdpIdentityRequest, IdpIdentitySession } from "./identity.ts";
export type { Launchable, LaunchPageOptions } from "./launchPage.ts";
export { LaunchPage, launchPage } from "./launchPage.ts";
export type { OperationName } from "./operations.ts";
export type { Paged } from "./paged.ts";
export type { ConnectResultPoller } from "./pollers/connectResult.ts";
export type { Disconnection, RevokeOutcome } from "./pollers/disconnection.ts";
export type { JobPoller } from "./pollers/job.ts";
export type { Poller, WaitOptions, WatchOptions } from "./pollers/poller.ts";
export type { RefreshPoller, ScanSummary } from "./pollers/refresh.ts";
export type { ResumedPollers } from "./pollers/resume.ts";
export type { SavedKind, SavedPoller } from "./pollers/saved.ts";
export type { SecretText } from "./secret.ts";
export { Secret } from "./secret.ts";
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
} from "./serviceErrors.ts";
export type { Fetch, FetchAnswer, FetchInit, KeySource, SocialConnectOptions } from "./settings.ts";
export type { ConnectRequest, Moment, PublishedWindow, RefreshRequest, ScanWindow, Subject } from "./subject.ts";
export type * from "./types/connecting.ts";
export type * from "./types/connections.ts";
export type * from "./types/content.ts";
export type * from "./types/enumerations.ts";
export type * from "./types/identity.ts";
export type * from "./types/jobs.ts";
export type * from "./types/service.ts";
export type { CallOptions } from "./wire/call.ts";
export type { ConnectSession } from "./wire/subjectRequests.ts";
