import { useSyncExternalStore } from "react";

/** Whether the browser has a network and the service responds. */
export type Connection = "connected" | "offline" | "unreachable";

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
const PROBE_TIMEOUT_MS = 10_000;

let current: Connection = "connected";
let retryMs = FIRST_RETRY_MS;
let timer: ReturnType<typeof setTimeout> | undefined;
let pending: Promise<Connection> | null = null;
const listeners = new Set<() => void>();

// A browser without a network may still reach a service on the same machine, so only a request decides.
window.addEventListener("offline", () => void checkConnection());
window.addEventListener("online", () => void checkConnection());

/** Called when a request got no response. Asks the service, and again until it responds. Concurrent calls share a request. */
export function checkConnection(): Promise<Connection> {
  pending ??= probe().finally(() => {
    pending = null;
  });
  return pending;
}

/** Called when the service responded. */
export function reportConnected(): void {
  if (current !== "connected") setCurrent("connected");
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => current);
}

/** Runs when the connection has returned; returns the function that ends this. */
export function onReconnect(run: () => void): () => void {
  let before = current;
  return subscribe(() => {
    const hasReturned = before !== "connected" && current === "connected";
    before = current;
    if (hasReturned) run();
  });
}

/**
 * Loads code when there is a connection, so that a page is not replaced by an error that is not its own. Browsers do not
 * load a module again that could not be loaded once, so the connection is checked before and after.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  if (current !== "connected" || !navigator.onLine) await waitForConnection();
  try {
    return await load();
  } catch (error) {
    if ((await checkConnection()) === "connected") throw error;
    await waitForConnection();
    return await load();
  }
}

async function waitForConnection(): Promise<void> {
  if ((await checkConnection()) === "connected") return;
  await new Promise<void>((resolve) => {
    const end = onReconnect(() => {
      end();
      resolve();
    });
  });
}

async function probe(): Promise<Connection> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const response = await fetch("/panel/session", { cache: "no-store", signal }).catch(() => null);
  if (response !== null && response.status < 500) setCurrent("connected");
  else setCurrent(navigator.onLine ? "unreachable" : "offline");
  return current;
}

function setCurrent(connection: Connection): void {
  clearTimeout(timer);
  if (connection === "connected") retryMs = FIRST_RETRY_MS;
  else {
    timer = setTimeout(() => void checkConnection(), retryMs);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }
  if (connection === current) return;
  current = connection;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
