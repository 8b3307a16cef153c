export type { Account } from "./accounts/account.ts";
export { type Catalogue, createCatalogue } from "./accounts/catalogue.ts";
export { type ConsentChoice, giveConsent } from "./drive/giveConsent.ts";
export { type SignInChoice, signIn } from "./drive/signIn.ts";
export type { IssuerClient } from "./identity/issuerClient.ts";
export { LIES, type Lie } from "./identity/lies.ts";
export { PEOPLE, type Person } from "./identity/people.ts";
export type { LimitSettings } from "./limits.ts";
export { PROVIDER_SCOPES, type SimulatorRegistration, simulatorRegistration } from "./registration.ts";
export { type RunningSimulator, type SimulatorOptions, startSimulator } from "./startSimulator.ts";
export {
  type ByProvider,
  PROVIDER_KEYS,
  type ProviderKey,
  type SimulatorClient,
  type SimulatorClients,
} from "./wire.ts";
