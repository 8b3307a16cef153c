import type { TimeSource } from "../shared/clock.ts";
import { MINUTE_MS } from "../shared/clock.ts";
import type { ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import { unguessable } from "../shared/random.ts";

/** An authorization request that was found good and waits for a person. */
export interface ConsentRequest {
  readonly id: string;
  readonly provider: ProviderKey;
  readonly client: SimulatorClient;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly scopes: readonly string[];
  readonly codeChallenge: string | null;
  /** Provider A: a refresh token is wanted. */
  readonly offline: boolean;
  /** Provider A: the person is asked again, and a refresh token is given again. */
  readonly promptConsent: boolean;
  /** Name of the account to be selected at first. */
  readonly hint: string | null;
}

const WAITS_MS = 30 * MINUTE_MS;

/** Authorization requests that wait for a decision; each takes one. */
export interface ConsentRequests {
  open(request: Omit<ConsentRequest, "id">): ConsentRequest;
  /** The request, which is gone afterwards; null when it is unknown, decided or too old. */
  take(id: string): ConsentRequest | null;
  clear(): void;
}

export function createConsentRequests(clock: TimeSource): ConsentRequests {
  const waiting = new Map<string, { request: ConsentRequest; untilMs: number }>();
  return {
    open: (fields) => {
      const nowMs = clock.now().getTime();
      for (const [id, { untilMs }] of waiting) if (untilMs < nowMs) waiting.delete(id);
      const request: ConsentRequest = { ...fields, id: unguessable(18) };
      waiting.set(request.id, { request, untilMs: nowMs + WAITS_MS });
      return request;
    },
    take: (id) => {
      const found = waiting.get(id);
      waiting.delete(id);
      return found !== undefined && found.untilMs >= clock.now().getTime() ? found.request : null;
    },
    clear: () => waiting.clear(),
  };
}
