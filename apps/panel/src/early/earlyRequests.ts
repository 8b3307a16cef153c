/** What start.ts passes to the panel, whose code loads concurrently. */
export interface Start {
  /** The session that the service wrote into the page; null: unknown, so the panel asks for it. */
  readonly session: EmbeddedSession | null;
  /** Requests that were already sent, by body. */
  readonly requests: Map<string, EarlyRequest>;
}

export interface EmbeddedSession {
  readonly wire: WireSession;
  /** When the page arrived, by this browser's clock. */
  readonly receivedAtMs: number;
}

/** The session, as the service describes it. */
export interface WireSession {
  readonly email: string;
  readonly csrfToken: string;
  readonly confirmedUntil: string;
  readonly expiresAt: string;
  readonly now: string;
}

export interface EarlyRequest {
  readonly response: Promise<Response>;
  /** The data of a response without errors, once it has arrived. */
  data?: unknown;
}

declare global {
  interface Window {
    socialConnectStart?: Start;
  }
}

export const ENDPOINT = "/panel/graphql";
/** The service may accept a request and never respond. */
const TIMEOUT_MS = 30_000;

export function bodyOf(query: string, variables: unknown): string {
  return JSON.stringify({ query, variables: variables ?? {} });
}

/** Sends a body in the browser's session, which the service does not extend for an unattended page. */
export function post(body: string, csrfToken: string | null, isUnattended = false): Promise<Response> {
  return fetch(ENDPOINT, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(csrfToken === null ? {} : { "x-csrf-token": csrfToken }),
      ...(isUnattended ? { "x-unattended": "1" } : {}),
    },
    body,
    credentials: "same-origin",
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** A request that start.ts sent; each is used once. */
export function takeEarlyRequest(body: string): EarlyRequest | undefined {
  const requests = window.socialConnectStart?.requests;
  const request = requests?.get(body);
  requests?.delete(body);
  return request;
}

/** Called when the admin leaves the first page: a later page must not show what was read before. */
export function dropEarlyRequests(): void {
  window.socialConnectStart?.requests.clear();
}
