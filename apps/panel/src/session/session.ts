import { useSyncExternalStore } from "react";
import { clearDrafts, clearDraftsOfOthers } from "./drafts.ts";

/** Who is signed in in this browser, as the service tells it. */
export interface Session {
  readonly email: string;
  /** Sent along with every request; a page of another origin cannot know it. */
  readonly csrfToken: string;
  /** Until when what needs a confirmation goes without another one, in milliseconds of this browser's clock. */
  readonly confirmedUntilMs: number;
  /** When the session ends at the latest, in milliseconds of this browser's clock. */
  readonly expiresAtMs: number;
  /** How far the service's time is ahead of this browser's. */
  readonly aheadMs: number;
}

/** `undefined`: not known yet. `null`: nobody is signed in. `"unreachable"`: the service does not say. */
export type SessionState = Session | null | undefined | "unreachable";

let current: SessionState;
let asking: Promise<Session | null> | null = null;
const listeners = new Set<() => void>();

interface WireSession {
  readonly email: string;
  readonly csrfToken: string;
  readonly confirmedUntil: string;
  readonly expiresAt: string;
  readonly now: string;
}

export function readSession(): Session | null {
  return isSession(current) ? current : null;
}

/** Asks the service again. Who asks meanwhile gets the same answer. */
export function refreshSession(): Promise<Session | null> {
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

/** The service said that there is no session any more. */
export function endSession(): void {
  keep(null);
}

/** Ends the session at the service and here. */
export async function signOut(): Promise<boolean> {
  const token = readSession()?.csrfToken ?? "";
  const answer = await fetch("/panel/sign-out", { method: "POST", headers: { "x-csrf-token": token } }).catch(
    () => null,
  );
  if (answer?.ok !== true) return false;
  clearDrafts();
  keep(null);
  return true;
}

/** Whether somebody is signed in, and a new rendering when that changes. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, () => current);
}

/** The session, for what is shown only to somebody who is signed in. */
export function useSession(): Session | null {
  const state = useSessionState();
  return isSession(state) ? state : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function ask(): Promise<Session | null> {
  const answer = await fetch("/panel/session", { headers: { accept: "application/json" } }).catch(() => null);
  if (answer?.status === 401) return keep(null);
  const wire = answer?.ok ? ((await answer.json().catch(() => null)) as WireSession | null) : null;
  if (wire !== null) return keep(describe(wire));
  // A session that is known is not lost for an answer that did not come.
  if (!isSession(current)) keep("unreachable");
  return null;
}

function describe({ email, csrfToken, confirmedUntil, expiresAt, now }: WireSession): Session {
  clearDraftsOfOthers(email);
  const aheadMs = Date.parse(now) - Date.now();
  return {
    email,
    csrfToken,
    confirmedUntilMs: Date.parse(confirmedUntil) - aheadMs,
    expiresAtMs: Date.parse(expiresAt) - aheadMs,
    aheadMs,
  };
}

function isSession(state: SessionState): state is Session {
  return typeof state === "object" && state !== null;
}

function keep<State extends SessionState>(state: State): State {
  current = state;
  for (const listener of listeners) listener();
  return state;
}
