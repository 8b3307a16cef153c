export type { ScanIncompleteReason } from "@social-connect/contract";
export { ASSUMPTIONS, type Assumption, UNSPECIFIED } from "./assumptions/assumptions.ts";
export type {
  AccountControl,
  AccountPost,
  DeletionReceipt,
  NewPost,
  RemoveAppOptions,
  RequestDeletionOptions,
} from "./control/accountControl.ts";
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
export type {
  EventEndpointControl,
  EventEndpointData,
  EventEndpointView,
  EventsControl,
  EventView,
} from "./control/eventsControl.ts";
export type { Fault, FaultData, FaultOptions, FaultsControl, FaultTarget } from "./control/faultsControl.ts";
export type { IdentityAttemptView, IdentityControl } from "./control/identityControl.ts";
export type { JobControl, JobView } from "./control/jobControl.ts";
export type {
  ProviderFault,
  ProviderFaultData,
  ProviderFaultOptions,
  ProviderFaultScope,
  ProviderFaultsControl,
} from "./control/providerFaultsControl.ts";
export type { RegistrationControl } from "./control/registrationControl.ts";
export type { MockOperation } from "./graphql/documents.ts";
export type { Incoming, Outcome, Reply } from "./http/exchange.ts";
export { ISSUER_LIES, type IssuerLie } from "./issuer/users.ts";
export { AdminMock, type MintOptions } from "./mock/adminMock.ts";
export { ConsumerMock, createAdminMock, createConsumerMock } from "./mock/consumerMock.ts";
export type { MockOptions } from "./mock/options.ts";
export { SCRIPTS, type ScriptName } from "./providers/scripts.ts";
export type {
  BegunSession,
  DisconnectFacts,
  LinkedAccount,
  ReadAccount,
  TimeWindow,
} from "./scenarios/builder.ts";
export type { Scenario } from "./scenarios/scenario.ts";
export { SCENARIO_NAMES, SCENARIOS, type ScenarioFacts, type ScenarioName } from "./scenarios/scenarios.ts";
export type { SeedAccount, SeedConnection, SeedData, SeedPost, SeedRegistration } from "./seed/seedData.ts";
export type { EventDelivery, EventEndpoint, SentEvent } from "./state/events.ts";
export type { CallFailureKind, CallFault, GrantEnd, ProviderCall, RecordedCall } from "./state/providerCall.ts";

export type { PostChange, PostForm, Visibility } from "./state/providerState.ts";
export type { MalformedKind } from "./state/serviceFaults.ts";
export {
  fetchHandler,
  type RoutedMock,
  type RouteHandler,
  type RouteOptions,
  routeHandlers,
} from "./transports/routeHandlers.ts";
export type { Duration } from "./util/duration.ts";
export { MockMisuseError } from "./util/misuse.ts";
export type { ApplicationOptions } from "./world/initialState.ts";
export type { EventHandler } from "./world/world.ts";
