import type { Account } from "../accounts/account.ts";
import type { Catalogue } from "../accounts/catalogue.ts";
import type { Posts } from "../accounts/posts.ts";
import type { MovableClock } from "../shared/clock.ts";
import type { GrantEnd } from "../shared/fault.ts";
import type { ByProvider, ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import type { Codes } from "./codes.ts";
import type { ConsentRequests } from "./consentRequests.ts";
import type { FaultQueue } from "./faultQueue.ts";
import type { Grant } from "./grant.ts";
import type { Grants } from "./grants.ts";
import type { Limits } from "./limits.ts";
import type { ProviderProfile } from "./providerProfile.ts";
import type { RequestLog } from "./requestLog.ts";

/** Everything that the simulator knows, passed to whoever answers a call. */
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
  /** Origin of the simulator itself: the control address and the pictures. */
  baseUrl(): string;
  /** Origin of one provider; its paths start at the root, as the real API's do. */
  providerUrl(provider: ProviderKey): string;
  client(provider: ProviderKey, clientId: string): SimulatorClient | undefined;
  accountOf(grant: Grant): Account;
  /** Ends a grant, and what ends with it at its provider. */
  endGrant(grant: Grant, cause: GrantEnd): void;
  /** Writes the state down, soon. */
  save(): void;
}
