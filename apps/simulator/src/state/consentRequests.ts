import { MINUTE_MS, type TimeSource } from "../shared/clock.ts";
import type { ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import { unguessable } from "../shared/random.ts";

/** A valid authorization request that waits for the user's decision. */
export interface ConsentRequest {
  readonly id: string;
  readonly provider: ProviderKey;
  readonly client: SimulatorClient;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly scopes: readonly string[];
  readonly codeChallenge: string | null;
  /** Provider A: a refresh token is requested. */
  readonly offline: boolean;
  /** Provider A: prompts the user again and issues a new refresh token. */
  readonly promptConsent: boolean;
  readonly hint: string | null;
  /** The account with which the person is signed in: the page offers no other. null: it offers every account. */
  readonly signedInAs: string | null;
}

const LIFETIME_MS = 30 * MINUTE_MS;

export type ConsentRequests = ReturnType<typeof createConsentRequests>;

export function createConsentRequests(clock: TimeSource) {
  const waiting = new Map<string, { request: ConsentRequest; untilMs: number }>();
  return {
    open: (fields: Omit<ConsentRequest, "id">): ConsentRequest => {
      const nowMs = clock.now().getTime();
      for (const [id, { untilMs }] of waiting) if (untilMs < nowMs) waiting.delete(id);
      const request: ConsentRequest = { ...fields, id: unguessable(18) };
      waiting.set(request.id, { request, untilMs: nowMs + LIFETIME_MS });
      return request;
    },
    /** Returns and removes the request; null if it is unknown, decided or expired. */
    take: (id: string): ConsentRequest | null => {
      const found = waiting.get(id);
      waiting.delete(id);
      return found !== undefined && found.untilMs >= clock.now().getTime() ? found.request : null;
    },
    clear: () => waiting.clear(),
  };
}
