import type {
  EventsDriver,
  IdentityDriver,
  PanelDriver,
  ProviderDriver,
} from "../../../packages/conformance/src/index.ts";

/** One of the two services that are compared, with what is done to it besides calling it. */
export interface Side {
  readonly name: string;
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly provider: ProviderDriver;
  readonly identity: IdentityDriver;
  /** Null for a user who is not an admin. */
  panel(person: string): Promise<PanelDriver | null>;
  readonly events: EventsDriver;
  /** URLs that differ by side, and their placeholder in a report. */
  readonly addresses: Readonly<Record<string, string>>;
  now(): Promise<Date>;
}

/** The side whose clock leads: it runs on its own and can only jump. */
export interface Leader extends Side {
  /** Restores the initial state. */
  begin(): Promise<void>;
  /** Waits until no work is due; the milliseconds until the next is, null for none. */
  quiesce(): Promise<number | null>;
  advance(ms: number): Promise<void>;
}

/** The side that follows the leader's clock and runs all due work in between. */
export interface Follower extends Side {
  goTo(moment: Date): Promise<void>;
  /** Finishes the work in progress, even if the leader needed little time for its own; the time of the next retry, if any. */
  finishWork(): Promise<Date | null>;
}
