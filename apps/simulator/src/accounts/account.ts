import type { ProviderKey } from "../shared/providerKeys.ts";
import type { Script } from "./scripts.ts";

/** A test account. */
export interface Account {
  readonly provider: ProviderKey;
  /** Identifies the account in tests and in the consent form. */
  readonly name: string;
  readonly summary: string;
  /** No faults; all other accounts follow a script. */
  readonly ordinary: boolean;
  readonly script: Script;
  /** Channel id, open id or user id. */
  readonly accountId: string;
  /** Equal for all accounts of a user at this provider. */
  readonly personKey: string;
  readonly displayName: string;
  readonly handle: string;
  readonly description: string;
  readonly theme: string;
  readonly followers: number;
  readonly following: number;
  readonly createdAt: Date;
  /** Number and spacing of the posts before the first start. */
  readonly postCount: number;
  readonly postGapHours: number;
  /** Whether the consent page lists it; programs can select any account by name. */
  readonly listed: boolean;
  /** Whether the development environment should register it as a tester. */
  readonly tester: boolean;
}
