import type { Clock, SocialConnect } from "@social-connect/sdk";
import type { Store } from "./store.ts";

export interface Dependencies {
  readonly social: SocialConnect;
  readonly store: Store;
  /** The SDK's own clock will do; a test brings one that it can move. */
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
  /** How long one refresh may hold its place; what is not done then goes on later. */
  readonly patienceMs: number;
}
