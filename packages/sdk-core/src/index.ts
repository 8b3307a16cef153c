export type { ApiCall, ResponseInfo, WithResponse } from "./apiCall.ts";
export { apiCall } from "./apiCall.ts";
export type { CallOptions } from "./call.ts";
export { CALL_OPTIONS, deadlineOf } from "./call.ts";
export type { RuntimeGlobals } from "./checks.ts";
export { refuseBrowsers, requireObject, requireSignal, wholeNumber } from "./checks.ts";
export type { Clock } from "./clock.ts";
export { pause, systemClock } from "./clock.ts";
export { DATE_HINT, timeOf } from "./dates.ts";
export type { ErrorDetails, ErrorKind, ProtocolProblem } from "./errors.ts";
export {
  ConfigurationError,
  ProtocolError,
  SocialConnectError,
  shapeError,
  TimeoutError,
  TransportError,
} from "./errors.ts";
export type { TransportProblem } from "./faults.ts";
export type { OperationDocument, OwnRequest, ResultOf, VariablesOf } from "./generated.ts";
export { operationCaller } from "./generated.ts";
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./hooks.ts";
export { notify } from "./hooks.ts";
export { ADMIN_KEY, APPLICATION_KEY } from "./keyProblem.ts";
export type { KeySource } from "./keySource.ts";
export { refuseUnknownNames, requireOneOf } from "./names.ts";
export type { Open } from "./open.ts";
export { Paged } from "./paged.ts";
export { isTransientFault, isTransientStatus } from "./retryDelay.ts";
export type { SecretText } from "./secret.ts";
export { revealed, Secret } from "./secret.ts";
export type { ServiceErrorDetails } from "./serviceError.ts";
export { ServiceError } from "./serviceError.ts";
export type { ClientSettings, RequestSettings } from "./settings.ts";
export { readClientSettings } from "./settings.ts";
export type { Fetch, FetchInit, FetchResponse } from "./transport.ts";
export { runtimeFetch } from "./transport.ts";
export type { Fields, Validator } from "./validators.ts";
export { boolean, isObject, list, nullable, number, object, selectionOf, string } from "./validators.ts";
export { withinLimits } from "./withinLimits.ts";
