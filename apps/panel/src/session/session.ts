import { useSyncExternalStore } from "react";
import { checkConnection, reportConnected } from "../connection/connection.ts";
import { clearDrafts, clearDraftsOfOthers } from "./drafts.ts";

/** The admin who is signed in, as reported by the service. */
export interface Session {
  readonly email: string;
  /** Sent with every request; other origins cannot read it. */
  readonly csrfToken: string;
  /** When the confirmation expires, by this browser's clock. */
  readonly confirmedUntilMs: number;
  /** When the session ends at the latest, by this browser's clock. */
  readonly expiresAtMs: number;
  /** How far the service's time is ahead of this browser's. */
  readonly aheadMs: number;
}

/** The session, as the service describes it. */
interface WireSession {
  readonly email: string;
  readonly csrfToken: string;
  readonly confirmedUntil: string;
  readonly expiresAt: string;
  readonly now: string;
}

/** `undefined`: not loaded yet. `null`: signed out. `"unreachable"`: the service did not respond. */
export type SessionState = Session | null | undefined | "unreachable";

let current: SessionState;
let pending: Promise<Session | null> | null = null;
const listeners = new Set<() => void>();

export function readSession(): Session | null {
  return isSession(current) ? current : null;
}

/** Reads the session from the service. Concurrent calls share one request. */
export function refreshSession(): Promise<Session | null> {
  pending ??= fetchSession().finally(() => {
    pending = null;
  });
  return pending;
}

/** Called when the service reports that the session has ended. */
export function endSession(): void {
  setCurrent(null);
}

/** Ends the session, at the service and in this browser. */
export async function signOut(): Promise<boolean> {
  const token = readSession()?.csrfToken ?? "";
  const response = await fetch("/panel/sign-out", { method: "POST", headers: { "x-csrf-token": token } }).catch(
    () => null,
  );
  if (response?.ok !== true) return false;
  clearDrafts();
  setCurrent(null);
  return true;
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, () => current);
}

/** The session; null if the admin is not signed in. */
export function useSession(): Session | null {
  const state = useSessionState();
  return isSession(state) ? state : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function fetchSession(): Promise<Session | null> {
  const response = await fetch("/panel/session", { headers: { accept: "application/json" } }).catch(() => null);
  if (response !== null && response.status < 500) reportConnected();
  else void checkConnection();
  if (response?.status === 401) return setCurrent(null);
  const wire = response?.ok ? ((await response.json().catch(() => null)) as WireSession | null) : null;
  if (wire !== null) return setCurrent(describe(wire));
  // A missing response does not end a known session.
  if (!isSession(current)) setCurrent("unreachable");
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

function setCurrent<State extends SessionState>(state: State): State {
  current = state;
  for (const listener of listeners) listener();
  return state;
}
