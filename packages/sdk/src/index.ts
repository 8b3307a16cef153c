/** The consumer SDK of Social Connect: everything exported here is public and follows semver. */
import { refuseBrowsers } from "@social-connect/sdk-core";

export type {
  ApiCall,
  CallOptions,
  Clock,
  ErrorKind,
  Fetch,
  FetchInit,
  FetchResponse,
  KeySource,
  Paged,
  ProtocolProblem,
  RequestSettings,
  ResponseInfo,
  SecretText,
  TransportProblem,
  WithResponse,
} from "@social-connect/sdk-core";
export {
  ConfigurationError,
  ProtocolError,
  Secret,
  SocialConnectError,
  TimeoutError,
  TransportError,
} from "@social-connect/sdk-core";
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./_generated/hooks.ts";
export type { OperationName } from "./_generated/operations.ts";
export type * from "./_generated/types.ts";
export { SocialConnect } from "./client.ts";
export type { TypedDocument, UntypedDocument } from "./documents/ownDocument.ts";
export type { EnvironmentOptions } from "./environment.ts";
export type { IdpIdentityRedeem } from "./identity.ts";
export type { Launchable, LaunchPageOptions } from "./launchPage.ts";
export { LaunchPage, launchPage } from "./launchPage.ts";
export type { PostWithMetrics } from "./metric.ts";
export { metric, metricText } from "./metric.ts";
export type { ConnectResultPoller } from "./pollers/connectResult.ts";
export type { Disconnection, RevokeOutcome } from "./pollers/disconnection.ts";
export type { JobPoller } from "./pollers/job.ts";
export type { Poller, WaitOptions, WatchOptions } from "./pollers/poller.ts";
export type { CoveredWindow, RefreshPoller, ScanSummary } from "./pollers/refresh.ts";
export type { ResumedPollers } from "./pollers/resume.ts";
export type { SavedKind, SavedPoller } from "./pollers/saved.ts";
export type { ListOptions } from "./reads.ts";
export type { ExactSelection, Select, Selected, SelectedPage, Selection } from "./select.ts";
export { exportSession, importSession } from "./session.ts";
export type {
  ConnectRequest,
  DateInput,
  PublishedWindow,
  RefreshRequest,
  ScanWindow,
  Subject,
} from "./subject.ts";
export type * from "./types/settled.ts";
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

// At run time, not by an export condition: bundlers set `browser` for worker runtimes too.
refuseBrowsers();
