import type { Account } from "../accounts/account.ts";
import type { Catalogue } from "../accounts/catalogue.ts";
import type { Posts } from "../accounts/posts.ts";
import type { MovableClock } from "../shared/clock.ts";
import type { GrantEnd } from "../shared/fault.ts";
import type { ByProvider, ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import type { Codes } from "./codes.ts";
import type { ConsentRequests } from "./consentRequests.ts";
import type { FaultQueue } from "./faultQueue.ts";
import type { Grant, Grants } from "./grants.ts";
import type { Limits } from "./limits.ts";
import type { ProviderProfile } from "./providerProfile.ts";
import type { RequestLog } from "./requestLog.ts";

export interface World {
  readonly clock: MovableClock;
  readonly providers: ByProvider<ProviderProfile>;
  readonly catalogue: Catalogue;
  readonly posts: Posts;
  readonly grants: Grants;
  readonly codes: Codes;
  readonly consentRequests: ConsentRequests;
  readonly faults: FaultQueue;
  readonly log: RequestLog;
  readonly limits: Limits;
  /** Origin of the control API and the pictures. */
  baseUrl(): string;
  /** Origin of a provider; its paths start at the root, like the real API's. */
  providerUrl(provider: ProviderKey): string;
  clients(provider: ProviderKey): readonly SimulatorClient[];
  client(provider: ProviderKey, clientId: string): SimulatorClient | undefined;
  accountOf(grant: Grant): Account;
  /** Ends a grant and, at some providers, the user's other grants. */
  endGrant(grant: Grant, cause: GrantEnd): void;
  save(): void;
}
