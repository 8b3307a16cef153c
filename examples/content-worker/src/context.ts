import type { Clock, SocialConnect } from "@social-connect/sdk";
import type { Store } from "./store.ts";

export interface Dependencies {
  readonly social: SocialConnect;
  readonly store: Store;
  /** The SDK's clock by default; tests pass a movable one. */
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: (line: string) => void;
  readonly policy: Policy;
}

export interface Policy {
  /** How often a connection is refreshed. */
  readonly intervalMs: number;
  /** How many days back a refresh reads. */
  readonly days: number;
  /** How many connections are refreshed at a time; the service takes 20 unfinished reads of an application. */
  readonly concurrency: number;
  /** How long one refresh may occupy its slot; unfinished work continues later. */
  readonly patienceMs: number;
}
