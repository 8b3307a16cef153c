import type { IdentityDriver, ProviderDriver } from "../../packages/conformance/src/index.ts";

/** One of the two services that are compared, with what is done to it besides calling it. */
export interface Side {
  readonly name: string;
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly provider: ProviderDriver;
  readonly identity: IdentityDriver;
  /** Addresses that are each side's own, and the word that stands for them in a report. */
  readonly addresses: Readonly<Record<string, string>>;
  now(): Promise<Date>;
  close(): Promise<void>;
}

/** The side whose clock leads: it runs by itself, and only knows how to jump. */
export interface Leader extends Side {
  /** As it was when it was opened. */
  begin(): Promise<void>;
  /** Waits until no work is due; the milliseconds until the next is, null for none. */
  quiesce(): Promise<number | null>;
  advance(ms: number): Promise<void>;
}

/** The side that goes where the leader's clock is; between two moments it does all that falls due. */
export interface Follower extends Side {
  goTo(moment: Date): Promise<void>;
  /** Ends the work that is under way, however little time the leader took for its own. */
  finishWork(): Promise<void>;
}

export const PREVIEW_PATH = "/preview-return";
