export {
  ACCOUNT_SCRIPTS,
  type AccountScript,
  FAULTS,
  ISSUER_FAULTS,
  type IssuerFault,
} from "@social-connect/provider-fixtures";
export type { Account } from "./accounts/account.ts";
export { type Catalogue, createCatalogue } from "./accounts/catalogue.ts";
export { type ConsentChoice, giveConsent, returnFromSignIn, type SignInChoice, signIn } from "./drive/drive.ts";
export type { IssuerClient } from "./issuer/issuer.ts";
export { ISSUER_KEYS, ISSUER_PROFILES, type IssuerKey } from "./issuer/profiles.ts";
export { USERS, type User } from "./issuer/users.ts";
export { PROVIDER_SCOPES, type SimulatorRegistration, simulatorRegistration } from "./registration.ts";
export {
  type ByProvider,
  PROVIDER_KEYS,
  type ProviderKey,
  type SimulatorClient,
  type SimulatorClients,
} from "./shared/providerKeys.ts";
export { type RunningSimulator, type SimulatorOptions, startSimulator } from "./startSimulator.ts";
export type { LimitSettings } from "./state/limits.ts";
