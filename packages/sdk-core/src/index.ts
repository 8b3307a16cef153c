export type { Attempt } from "./attempt.ts";
export { sendOnce } from "./attempt.ts";
export type { CallOptions, CallSettings, RepeatedCall } from "./call.ts";
export { callWithRetries, deadlineOf } from "./call.ts";
export type { RuntimeGlobals } from "./checks.ts";
export {
  endpointOf,
  ON_A_SERVER,
  refuseBrowsers,
  requireFunction,
  requireFunctions,
  requireObject,
  wholeNumber,
} from "./checks.ts";
export type { Clock } from "./clock.ts";
export { pause, systemClock } from "./clock.ts";
export type { ErrorDetails, ErrorKind, ProtocolProblem } from "./errors.ts";
export { ConfigurationError, ProtocolError, SocialConnectError, TimeoutError, TransportError } from "./errors.ts";
export type { GeneratedRequest } from "./generated.ts";
export { sendGenerated } from "./generated.ts";
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./hooks.ts";
export { notify } from "./hooks.ts";
export type { KeyShape, KeySource } from "./keySource.ts";
export { keyReader } from "./keySource.ts";
export type { Open } from "./open.ts";
export { Paged } from "./paged.ts";
export type { ResponseContext } from "./response.ts";
export { isTransientFault, isTransientStatus, retryDelayMs } from "./retryDelay.ts";
export type { SecretText } from "./secret.ts";
export { revealed, Secret } from "./secret.ts";
export type { ServiceErrorDetails } from "./serviceError.ts";
export { ServiceError } from "./serviceError.ts";
export type { Fetch, FetchInit, FetchResponse } from "./transport.ts";
export { globalFetch } from "./transport.ts";
export type { Validator } from "./validators.ts";
export { boolean, list, nullable, number, object, string } from "./validators.ts";
export { withinLimits } from "./withinLimits.ts";
