/**
 * What the bundle of a page or of a mobile app gets instead of the SDK. Loading it throws. The names are there so that
 * the bundler has nothing to complain of and the program runs up to this message.
 */
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
