export type { ScanIncompleteReason } from "@social-connect/contract";
export { ASSUMPTIONS, type Assumption, UNSPECIFIED } from "./assumptions/assumptions.ts";
export type { AccountControl, AccountPost, NewPost } from "./control/accountControl.ts";
export { AdminMock, type MintOptions } from "./control/adminMock.ts";
export type { ApplicationControl, PolicyOptions } from "./control/applicationControl.ts";
export type { CallsControl } from "./control/callsControl.ts";
export type { MockClock } from "./control/clockControl.ts";
export type {
  ConnectAttemptView,
  ConnectCancellation,
  ConnectControl,
  ConnectFailure,
} from "./control/connectControl.ts";
export type { ConnectionControl, ConnectionControlView } from "./control/connectionControl.ts";
export { ConsumerMock, createConsumerMock } from "./control/consumerMock.ts";
export { createAdminMock } from "./control/createAdminMock.ts";
export type { Fault, FaultOptions, FaultsControl, FaultTarget } from "./control/faultsControl.ts";
export type { IdentityAttemptView, IdentityControl } from "./control/identityControl.ts";
export type { JobControl, JobView } from "./control/jobControl.ts";
export { MockMisuseError } from "./control/misuse.ts";
export type { MockOptions } from "./control/options.ts";
export type {
  ProviderFaultOptions,
  ProviderFaultScope,
  ProviderFaultsControl,
} from "./control/providerFaultsControl.ts";
export type { RegistrationControl } from "./control/registrationControl.ts";
export type { MalformedKind } from "./faults/serviceFaults.ts";
export type { MockOperation } from "./graphql/operations.ts";
export type { Incoming, Outcome, Reply } from "./http/exchange.ts";
export { ISSUER_LIES, type IssuerLie } from "./identity/lies.ts";
export type { CallFailureKind, CallFault, ProviderCall } from "./providers/providerCall.ts";
export type { GrantEnd, PostChange, PostForm, Visibility } from "./providers/providerState.ts";
export { SCRIPTS, type ScriptName } from "./providers/scripts.ts";
export type { Scenario } from "./scenarios/scenario.ts";
export { SCENARIO_NAMES, SCENARIOS, type ScenarioFacts, type ScenarioName } from "./scenarios/scenarios.ts";
export type {
  BegunSession,
  DisconnectFacts,
  LinkedAccount,
  ReadAccount,
  TimeWindow,
} from "./scenarios/stage.ts";
export type { RecordedCall } from "./world/calls.ts";
export type { Duration } from "./world/clock.ts";
export type { ApplicationOptions } from "./world/initialState.ts";
