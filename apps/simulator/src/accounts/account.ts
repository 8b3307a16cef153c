import type { ProviderKey } from "../shared/providerKeys.ts";
import type { Script } from "./scripts.ts";

/** A test account as the consent page lists it and the wire profiles show it. */
export interface Account {
  readonly provider: ProviderKey;
  /** How scripts, tests and the consent form name it. */
  readonly name: string;
  readonly summary: string;
  /** Behaves well in every way; the others follow a script. */
  readonly ordinary: boolean;
  readonly script: Script;
  /** Channel id, open id or user id. */
  readonly accountId: string;
  /** Same for accounts of one person at this provider. */
  readonly personKey: string;
  readonly displayName: string;
  readonly handle: string;
  readonly description: string;
  readonly theme: string;
  readonly followers: number;
  readonly following: number;
  readonly createdAt: Date;
  /** How many posts lie before the first start, and how far apart. */
  readonly postCount: number;
  readonly postGapHours: number;
  /** Whether the consent page offers it; a program can choose it by name all the same. */
  readonly listed: boolean;
  /** Whether the development set-up should list it as a tester. */
  readonly tester: boolean;
}
