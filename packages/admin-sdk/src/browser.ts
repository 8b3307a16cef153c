/** Replaces the SDK in bundles for browsers and mobile apps. It exports all names, so that bundling succeeds, and throws when it is loaded. */
import { ON_A_SERVER, ConfigurationError as Refusal } from "@social-connect/sdk-core";

export const BadUserInputError = refuse();
export const ConfigurationError = refuse();
export const ConflictError = refuse();
export const createAdmin = refuse();
export const DeclarationError = refuse();
export const declareClient = refuse();
export const describePlan = refuse();
export const describeResult = refuse();
export const ForbiddenError = refuse();
export const isDestructive = refuse();
export const NotFoundError = refuse();
export const parseDeclarations = refuse();
export const parsePlan = refuse();
export const PlanRefusedError = refuse();
export const ProtocolError = refuse();
export const Secret = refuse();
export const ServiceError = refuse();
export const SocialConnectError = refuse();
export const StalePlanError = refuse();
export const TimeoutError = refuse();
export const TransportError = refuse();
export const UnauthenticatedError = refuse();
export const UpstreamUnavailableError = refuse();

function refuse(): never {
  throw new Refusal(ON_A_SERVER);
}
