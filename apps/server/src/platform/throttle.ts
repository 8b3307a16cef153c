import type { CallingOwners } from "./callingOwners.ts";
import type { Clock } from "./clock.ts";

export interface ThrottleLimits {
  /** How many tokens an owner gets each second while other owners call. A response takes as many as it costs. */
  readonly perSecond: number;
  /** How many it has after a pause. */
  readonly burst: number;
  /** Work of this many milliseconds takes a token too, so that expensive refusals have a lower rate. */
  readonly msPerToken: number;
  /** Maximum number of delayed responses of one owner. More are sent immediately. */
  readonly maxDelayed: number;
}

interface Bucket {
  tokens: number;
  /** What sends each delayed response, and the tokens that it takes, in the order in which they are sent. */
  readonly delayed: Map<() => void, number>;
}

const INTERVAL_MS = 20;
/** Owners beyond these share a bucket, so that a caller with many addresses cannot fill the memory. */
const MAX_BUCKETS = 10_000;
const OTHERS = "others";

/**
 * A token bucket for each owner: responses beyond its rate are sent later, while other owners call. It is for responses that
 * cost no slot of a limiter, which callers could otherwise repeat as fast as the process can answer.
 */
export class Throttle {
  readonly #limits: ThrottleLimits;
  readonly #clock: Pick<Clock, "after">;
  readonly #calling: Pick<CallingOwners, "hasOther">;
  /** By owner, without full ones. */
  readonly #buckets = new Map<string, Bucket>();
  #isTimed = false;

  /** `calling`: the owners of calls that take slots of limiters. */
  constructor(limits: ThrottleLimits, clock: Pick<Clock, "after">, calling: Pick<CallingOwners, "hasOther">) {
    this.#limits = limits;
    this.#clock = clock;
    this.#calling = calling;
  }

  /** Number of delayed responses. */
  get delayed(): number {
    let number = 0;
    for (const { delayed } of this.#buckets.values()) number += delayed.size;
    return number;
  }

  /** Waits until another response may be sent to `owner`, or until the caller disconnects. It takes at least `tokens`. */
  async wait(owner: string, whenLeft: (run: () => void) => () => void, tokens = 1, workMs = 0): Promise<void> {
    if (!this.#calling.hasOther(owner)) return;
    const bucket = this.#bucketOf(this.#buckets.has(owner) || this.#buckets.size < MAX_BUCKETS ? owner : OTHERS);
    const { burst, msPerToken } = this.#limits;
    const taken = Math.min(burst, Math.max(tokens, workMs / msPerToken));
    if (bucket.tokens >= taken) bucket.tokens -= taken;
    else if (bucket.delayed.size < this.#limits.maxDelayed) await turnIn(bucket, whenLeft, taken);
  }

  #bucketOf(owner: string): Bucket {
    const bucket = this.#buckets.get(owner) ?? { tokens: this.#limits.burst, delayed: new Map() };
    this.#buckets.set(owner, bucket);
    if (!this.#isTimed) this.#time();
    return bucket;
  }

  /** One timer for all buckets, while one is not full. */
  #time(): void {
    this.#isTimed = true;
    this.#clock.after(INTERVAL_MS, () => {
      this.#isTimed = false;
      for (const [owner, bucket] of this.#buckets) this.#refill(owner, bucket);
      if (this.#buckets.size > 0) this.#time();
    });
  }

  #refill(owner: string, bucket: Bucket): void {
    const { perSecond, burst } = this.#limits;
    bucket.tokens += this.#calling.hasOther(owner) ? (perSecond * INTERVAL_MS) / 1_000 : Number.POSITIVE_INFINITY;
    for (const [send, tokens] of bucket.delayed) {
      if (bucket.tokens < tokens) break;
      bucket.tokens -= tokens;
      send();
    }
    if (bucket.tokens >= burst) this.#buckets.delete(owner);
  }
}

function turnIn({ delayed }: Bucket, whenLeft: (run: () => void) => () => void, tokens: number): Promise<void> {
  return new Promise((resolve) => {
    const send = () => {
      delayed.delete(send);
      stop();
      resolve();
    };
    const stop = whenLeft(send);
    delayed.set(send, tokens);
  });
}
