/** Replaces the SDK in bundles for browsers and mobile apps. It exports all names, so that bundling succeeds, and throws when it is loaded. */
import { ON_A_SERVER, ConfigurationError as Refusal } from "@social-connect/sdk-core";

export const AuthorizationSuspendedError = refuse();
export const BadUserInputError = refuse();
export const CapabilityUnavailableError = refuse();
export const ConfigurationError = refuse();
export const DisconnectInProgressError = refuse();
export const ForbiddenError = refuse();
export const LaunchPage = refuse();
export const launchPage = refuse();
export const NotFoundError = refuse();
export const ProtocolError = refuse();
export const RateLimitedError = refuse();
export const ReconnectRequiredError = refuse();
export const Secret = refuse();
export const ServiceError = refuse();
export const SocialConnect = refuse();
export const SocialConnectError = refuse();
export const SyncWindowBusyError = refuse();
export const TimeoutError = refuse();
export const TransportError = refuse();
export const UnauthenticatedError = refuse();
export const UpstreamUnavailableError = refuse();

function refuse(): never {
  throw new Refusal(ON_A_SERVER);
}
