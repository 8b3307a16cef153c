/** The admin SDK of Social Connect: everything exported here is public and follows semver. */
import { refuseBrowsers } from "@social-connect/sdk-core";

export type {
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
  SecretText,
  TransportProblem,
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
export type { OperationName, ReadOperation, WriteOperation } from "./_generated/operations.ts";
export type * from "./_generated/types.ts";
export type { Admin } from "./createAdmin.ts";
export { createAdmin } from "./createAdmin.ts";
export type { ClientDeclaration, DeclaredEventEndpoint, DeclaredReturnUrl } from "./declaration/declaration.ts";
export type { DeclarationProblem } from "./declaration/declarationError.ts";
export { DeclarationError } from "./declaration/declarationError.ts";
export { declareClient } from "./declaration/declareClient.ts";
export { logoDataUrl } from "./declaration/logoDataUrl.ts";
export { parseDeclarations } from "./declaration/parseDeclarations.ts";
export type { ApplyOptions, ApplyResult, StepOutcome, StepResult, StopReason } from "./plan/applyPlan.ts";
export { describePlan, describeResult } from "./plan/describe.ts";
export type { EventSecrets } from "./plan/eventEndpoints.ts";
export { parsePlan } from "./plan/parsePlan.ts";
export type { ClientPlan, PlannedEndpoint, PlanStep } from "./plan/plan.ts";
export { isDestructive } from "./plan/plan.ts";
export type { PlanOptions } from "./plan/planClient.ts";
export type { PlanRefusal } from "./plan/planErrors.ts";
export { PlanRefusedError, StalePlanError } from "./plan/planErrors.ts";
export type { AdminReader } from "./reader.ts";
export type { AuditOptions, ListOptions } from "./wire/reads.ts";
export {
  BadUserInputError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ServiceError,
  UnauthenticatedError,
  UpstreamUnavailableError,
} from "./wire/serviceErrors.ts";
export type { AdminOptions, AdminScope } from "./wire/settings.ts";
export type { AdminWriter } from "./writer.ts";
export type {
  ClientBranding,
  ClientBrandingOptions,
  ClientPolicy,
  ReturnUrlConfirmation,
} from "./writes/clientChange.ts";
export type { WriteResult } from "./writes/outcome.ts";

// At run time, not by an export condition: bundlers set `browser` for worker runtimes too.
refuseBrowsers();
