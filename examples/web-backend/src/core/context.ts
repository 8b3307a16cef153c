import type { SocialConnect, Subject } from "@social-connect/sdk";
import type { Context } from "hono";
import type { Settings } from "./settings.ts";
import type { Store, User } from "./store.ts";

export interface Dependencies {
  readonly social: SocialConnect;
  readonly settings: Omit<Settings, "host" | "port" | "client">;
  readonly store: Store;
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

/** How long a page waits for the service, and then shows what it knows. */
export function within({ clock }: Pick<Dependencies, "clock">, seconds = 3): { readonly deadline: Date } {
  return { deadline: new Date(clock.now().getTime() + seconds * 1_000) };
}
