import type { Account } from "./accounts/account.ts";
import type { Catalogue } from "./accounts/catalogue.ts";
import type { Posts } from "./accounts/posts.ts";
import type { MovableClock } from "./clock.ts";
import type { ConsentRequests } from "./consent/consentRequests.ts";
import type { RequestLog } from "./control/requestLog.ts";
import type { GrantEnd } from "./faults/fault.ts";
import type { FaultQueue } from "./faults/faultQueue.ts";
import type { Limits } from "./limits.ts";
import type { Codes } from "./oauth/codes.ts";
import type { Grant } from "./oauth/grant.ts";
import type { Grants } from "./oauth/grants.ts";
import type { ProviderKey, SimulatorClient } from "./wire.ts";

/** Everything that the simulator knows, passed to whoever answers a call. */
export interface World {
  readonly clock: MovableClock;
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
