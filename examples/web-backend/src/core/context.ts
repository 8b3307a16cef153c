import type { SocialConnect, Subject } from "@social-connect/sdk";
import type { Context } from "hono";
import type { Scans } from "./scans.ts";
import type { Settings } from "./settings.ts";
import type { Store } from "./store.ts";
import type { User } from "./users.ts";

export interface Dependencies {
  readonly social: SocialConnect;
  readonly settings: Pick<Settings, "tenantKey" | "returnUrl" | "identityReturnUrl" | "imageOrigins" | "sessionSecret">;
  readonly store: Store;
  readonly scans: Scans;
  readonly clock: { now(): Date };
  readonly log: (line: string) => void;
}

/** What a route behind the sign-in is given. */
export interface SignedIn {
  readonly user: User;
  /** The service's operations for this user: the scope comes from the session and from nowhere else. */
  readonly subject: Subject;
}

export type AppEnvironment = { Variables: { signedIn: SignedIn } };
export type AppContext = Context<AppEnvironment>;

/** A page waits this long for the service, and then shows what it knows. */
const READ_SECONDS = 3;

/** A deadline some seconds from now, for a page that must not block its visitor. */
export function secondsFromNow(dependencies: Pick<Dependencies, "clock">, seconds: number): Date {
  return new Date(dependencies.clock.now().getTime() + seconds * 1_000);
}

/** The deadline of everything that a page reads. */
export function readDeadline(dependencies: Pick<Dependencies, "clock">): Date {
  return secondsFromNow(dependencies, READ_SECONDS);
}
