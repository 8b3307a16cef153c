/** A file of the build, so that a bundle with an error class has neither the client nor its documents. */
export { refuseBrowsers } from "@social-connect/sdk-core/checks";
export {
  ConfigurationError,
  ProtocolError,
  SocialConnectError,
  TimeoutError,
  TransportError,
} from "@social-connect/sdk-core/errors";
export { DeclarationError } from "./declaration/declarationError.ts";
export { PlanRefusedError, StalePlanError } from "./plan/planErrors.ts";
export * from "./wire/serviceErrors.ts";
