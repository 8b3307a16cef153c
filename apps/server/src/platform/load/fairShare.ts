import { AppError, type Refusal } from "@social-connect/domain";
import type { Clock } from "../time/clock.ts";

type Timer = Pick<Clock, "after">;
/** Registers a function to run when the caller disconnects; returns how to remove it. */
export type WhenLeft = (run: () => void) => () => void;

/** How many slots calls can take that use the same connections. */
export interface Lane {
  readonly slots: number;
  /** The slots of one owner while other owners call too, and while none does. */
  readonly share: number;
  readonly shareAlone: number;
}

export interface FairLimits<Name extends string = string> {
  readonly lanes: Readonly<Record<Name, Lane>>;
  /** The slots of one owner in all lanes, while others call. A slow call does not count: it does not keep the process busy. */
  readonly shareInAll: number;
}

export interface FairCall<Name extends string = string> {
  /** Whose share the call uses, e.g. an application's id. */
  readonly owner: string;
  readonly lane: Name;
  /** How many slots it can use, at least one. */
  readonly slots: number;
  readonly whenLeft: WhenLeft;
}

/** Numbers of calls by owner, for metrics. */
export type LaneCounts = Readonly<Record<"inProgress" | "waiting" | "refused", ReadonlyMap<string, number>>>;

type Running = Omit<FairCall, "whenLeft"> & { readonly startedAt: number };
type Waiting<Name extends string> = FairCall<Name> & { readonly settle: (outcome: Running | Refusal) => void };

/** Maximum number of waiting calls of one owner in a lane. */
const QUEUE_LENGTH = 64;
/** How long a call waits for its turn: half of the SDK's deadline for a call. */
const QUEUE_MS = 15_000;
const TICK_MS = 250;
/** An owner calls until it has had no call for this number of ticks. */
const CALLING_TICKS = 6;
const SLOW_TICKS = 2;
const CALLER_LEFT: Refusal = { code: "UPSTREAM_UNAVAILABLE", message: "The request was aborted." };

/**
 * Gives each owner a share of the slots for calls. More of its calls wait in its own short queue, and owners with waiting
 * calls take turns. A call that finds the queue full, or waits too long, is refused.
 */
export class FairShare<Name extends string = string> {
  readonly #limits: FairLimits<Name>;
  readonly #clock: Timer;
  readonly #refusal: Refusal;
  readonly #running = new Set<Running>();
  /** By owner, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting<Name>[]>();
  readonly #refused = new Map<Name, Map<string, number>>();
  /** Owners that call, with the tick at which they last did. */
  readonly #calling = new Map<string, number>();
  #now = 0;
  readonly #beginTicking: () => void;

  /** `refusal` is the error of a refused call. */
  constructor(limits: FairLimits<Name>, clock: Timer, refusal: Refusal) {
    this.#limits = limits;
    this.#clock = clock;
    this.#refusal = refusal;
    this.#beginTicking = ticking(clock, TICK_MS, () => this.#tick());
  }

  /** Runs `work` when it is the call's turn, with the number of slots that it takes until `work` settles, however it does. */
  async run<T>(call: FairCall<Name>, work: (slots: number) => Promise<T>): Promise<T> {
    this.#calling.set(call.owner, this.#now);
    this.#beginTicking();
    const running = (this.#waiting.has(call.owner) ? null : this.#start(call)) ?? (await this.#turnOf(call));
    try {
      return await work(running.slots);
    } finally {
      this.#running.delete(running);
      while (this.#startNext());
    }
  }

  hasOther(owner: string): boolean {
    return this.#calling.size > (this.#calling.has(owner) ? 1 : 0);
  }

  counts(lane: Name): LaneCounts {
    const [inProgress, waiting] = [new Map<string, number>(), new Map<string, number>()];
    for (const running of this.#running) if (running.lane === lane) add(inProgress, running.owner);
    for (const call of [...this.#waiting.values()].flat()) if (call.lane === lane) add(waiting, call.owner);
    return { inProgress, waiting, refused: new Map(this.#refused.get(lane)) };
  }

  /** Takes slots that are free, of the process and of the owner's share; null without a free slot. */
  #start({ owner, lane, slots }: FairCall<Name>): Running | null {
    const limits = this.#limits.lanes[lane];
    const hasOther = this.hasOther(owner);
    let ofLane = limits.slots;
    let ofShare = hasOther ? limits.share : limits.shareAlone;
    let inAll = hasOther ? this.#limits.shareInAll : slots;
    for (const running of this.#running) {
      if (running.lane === lane) ofLane -= running.slots;
      if (running.lane === lane && running.owner === owner) ofShare -= running.slots;
      if (hasOther && running.owner === owner && this.#now - running.startedAt < SLOW_TICKS) inAll -= running.slots;
    }
    const free = Math.min(ofLane, ofShare, inAll);
    if (free < 1) return null;
    const started = { owner, lane, slots: Math.min(slots, free), startedAt: this.#now };
    this.#running.add(started);
    return started;
  }

  async #turnOf(call: FairCall<Name>): Promise<Running> {
    const { owner, lane, whenLeft } = call;
    const queue = this.#waiting.get(owner) ?? [];
    this.#waiting.set(owner, queue);
    const outcome = await new Promise<Running | Refusal>((resolve) => {
      const settle = (outcome: Running | Refusal) => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) this.#waiting.delete(owner);
        for (const undo of stop) undo();
        resolve(outcome);
      };
      const waiting = { ...call, settle };
      const stop = [this.#clock.after(QUEUE_MS, () => settle(this.#refusal)), whenLeft(() => settle(CALLER_LEFT))];
      queue.push(waiting);
      while (this.#startNext());
      const ofLane = queue.filter((each) => each.lane === lane);
      if (ofLane.length > QUEUE_LENGTH && queue.includes(waiting)) settle(this.#refusal);
    });
    if ("startedAt" in outcome) return outcome;
    if (outcome === this.#refusal) this.#refused.set(lane, add(this.#refused.get(lane), owner));
    throw new AppError(outcome);
  }

  /** Starts a waiting call of the owner whose turn is next, whose next turn is the last; false if no call fits. */
  #startNext(): boolean {
    for (const [owner, queue] of this.#waiting) {
      const tried = new Set<Name>();
      for (const waiting of queue) {
        const started = tried.has(waiting.lane) ? null : this.#start(waiting);
        tried.add(waiting.lane);
        if (started === null) continue;
        this.#waiting.delete(owner);
        this.#waiting.set(owner, queue);
        waiting.settle(started);
        return true;
      }
    }
    return false;
  }

  #tick(): boolean {
    this.#now += 1;
    for (const { owner } of [...this.#running, ...[...this.#waiting.values()].flat()])
      this.#calling.set(owner, this.#now);
    for (const [owner, at] of this.#calling) if (this.#now - at >= CALLING_TICKS) this.#calling.delete(owner);
    while (this.#startNext());
    return this.#calling.size > 0;
  }
}

export interface TimeLimits {
  /** How many milliseconds of the process one owner's responses can take each second while others call, and after a pause. */
  readonly msPerSecond: number;
  readonly burstMs: number;
  /** What a response takes at least. */
  readonly leastMs: number;
}

const REFILL_MS = 20;
/** The most waiting responses of one owner. More are sent immediately. */
const MOST_WAITING = 1_000;
/** Owners beyond these share an account, so that a caller with many addresses cannot fill the memory. */
const MAX_ACCOUNTS = 10_000;

/**
 * Gives each owner a share of the process's time for responses that take no slot, which callers could otherwise repeat as
 * fast as the process can answer. A response that took long delays the next ones of its owner for as much longer.
 */
export class TimeShare {
  readonly #limits: TimeLimits;
  readonly #hasOther: (owner: string) => boolean;
  /** By owner, without full ones: its milliseconds, and what sends each waiting response with the milliseconds that it takes. */
  readonly #accounts = new Map<string, { ms: number; readonly waiting: Map<() => void, number> }>();
  readonly #beginTicking: () => void;

  constructor(limits: TimeLimits, clock: Timer, hasOther: (owner: string) => boolean) {
    this.#limits = limits;
    this.#hasOther = hasOther;
    this.#beginTicking = ticking(clock, REFILL_MS, () => this.#refill());
  }

  get waiting(): number {
    return [...this.#accounts.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** Whether responses to an owner, including abandoned ones, took so long that no work should begin for it yet. */
  isExhausted(owner: string): boolean {
    return (this.#accounts.get(owner)?.ms ?? 0) < -this.#limits.burstMs;
  }

  /**
   * Waits until a response that took `ms` may be sent to `owner`, or until the caller disconnects, who pays for it too. `part`: of
   * the least time.
   */
  async wait(owner: string, whenLeft: WhenLeft, ms = 0, part = 1): Promise<void> {
    if (!this.#hasOther(owner)) return;
    const name = this.#accounts.has(owner) || this.#accounts.size < MAX_ACCOUNTS ? owner : "others";
    const account = this.#accounts.get(name) ?? { ms: this.#limits.burstMs, waiting: new Map<() => void, number>() };
    this.#accounts.set(name, account);
    this.#beginTicking();
    const taken = Math.max(ms, this.#limits.leastMs * part);
    if (account.ms > 0) account.ms -= taken;
    else if (account.waiting.size < MOST_WAITING) {
      await new Promise<void>((resolve) => {
        const stay = whenLeft(() => {
          account.ms -= taken;
          send();
        });
        const send = () => {
          account.waiting.delete(send);
          stay();
          resolve();
        };
        account.waiting.set(send, taken);
      });
    }
  }

  #refill(): boolean {
    const { msPerSecond, burstMs } = this.#limits;
    for (const [owner, account] of this.#accounts) {
      account.ms += this.#hasOther(owner) ? (msPerSecond * REFILL_MS) / 1_000 : Number.POSITIVE_INFINITY;
      for (const [send, taken] of account.waiting) {
        if (account.ms <= 0) break;
        account.ms -= taken;
        send();
      }
      if (account.ms >= burstMs) this.#accounts.delete(owner);
    }
    return this.#accounts.size > 0;
  }
}

/** Returns a function that begins to call `run` at an interval, until it returns false. */
export function ticking(clock: Timer, intervalMs: number, run: () => boolean): () => void {
  let isTicking = false;
  const tick = (isDue: boolean) => {
    isTicking = !isDue || run();
    if (isTicking) clock.after(intervalMs, () => tick(true));
  };
  return () => void (isTicking || tick(false));
}

function add(counts = new Map<string, number>(), owner: string): Map<string, number> {
  return counts.set(owner, (counts.get(owner) ?? 0) + 1);
}
