import type { Logger } from "../platform/log/logger.ts";
import { CircuitBreaker } from "../platform/network/circuitBreaker.ts";
import type { Clock } from "../platform/time/clock.ts";
import { ERROR_OWNERS, ProviderError } from "./contract.ts";

/**
 * A read job makes at most 8 attempts, so a single job does not stop a provider; neither does a single account. A pause of 30
 * seconds costs at most one retry of a job, whose range of delays reaches 30 seconds with the fifth.
 */
const OPTIONS = { failures: 10, sources: 2, openMs: 30_000, probeMs: 10_000 } as const;

/** The provider was unavailable repeatedly; no call was made. */
export class CallsPausedError extends ProviderError {
  constructor(waitMs: number) {
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    super("unavailable", "calls are paused after repeated failures of the provider", { retryAfterSeconds });
    this.name = "CallsPausedError";
  }
}

/**
 * A circuit breaker for each registration in this process. Guards reads by jobs, with the renewal of their credentials.
 * The exchange of a code and revokes are always sent: a person waits for the former, and a code is valid only once; the
 * latter must not depend on failures of others.
 */
export class ProviderBreakers {
  readonly #clock: Pick<Clock, "now">;
  readonly #logger: Logger;
  readonly #breakers = new Map<string, CircuitBreaker>();

  constructor({ clock, logger }: { readonly clock: Pick<Clock, "now">; readonly logger: Logger }) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Makes a call for a provider's account with the registration. Throws CallsPausedError without a call while calls are paused. */
  async run<T>(registrationId: string, providerAccountId: string, call: () => Promise<T>): Promise<T> {
    const admission = this.#breakerOf(registrationId).admit(providerAccountId, await this.#clock.now());
    if ("waitMs" in admission) throw new CallsPausedError(admission.waitMs);
    try {
      const result = await call();
      admission.end("answered", await this.#clock.now());
      return result;
    } catch (error) {
      admission.end(outcomeOf(error), await this.#clock.now());
      throw error;
    }
  }

  /** By registration, for metrics. */
  counts(): ReadonlyMap<string, ReturnType<CircuitBreaker["counts"]>> {
    return new Map([...this.#breakers].map(([id, breaker]) => [id, breaker.counts()]));
  }

  #breakerOf(registrationId: string): CircuitBreaker {
    let breaker = this.#breakers.get(registrationId);
    if (breaker === undefined) {
      breaker = new CircuitBreaker(OPTIONS, (state) => this.#log(registrationId, state));
      this.#breakers.set(registrationId, breaker);
    }
    return breaker;
  }

  #log(registrationId: string, state: ReturnType<CircuitBreaker["counts"]>["state"]): void {
    if (state === "open") this.#logger.warn({ registrationId }, "provider calls paused after repeated failures");
    if (state === "closed") this.#logger.info({ registrationId }, "provider calls resumed");
  }
}

/** Only a response proves that the provider is available: a grant that is not active fails without a call. */
function outcomeOf(error: unknown): "answered" | "failed" | "unknown" {
  if (!(error instanceof ProviderError)) return "unknown";
  if (ERROR_OWNERS[error.kind] === "provider") return "failed";
  return error.refusal === null ? "unknown" : "answered";
}
