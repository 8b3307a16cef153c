import type { Presence } from "../call/presence.ts";
import type { Clock } from "../time/clock.ts";
import { type TimeLimits, ticking } from "./fairShare.ts";

export interface AdmissionLimits {
  /** Requests in progress, of the process and of one owner. */
  readonly slots: number;
  readonly slotsOfOwner: number;
  /** Requests that start in one tick: at most, and while the process is late. */
  readonly starts: number;
  readonly startsWhenLate: number;
}

/** Whose turn a request takes: a network's requests of one kind. */
export interface Entrant {
  readonly owner: string;
  readonly limits: TimeLimits;
  /** Whether the time of this kind is limited now. */
  readonly isLimited: () => boolean;
}

/** Ends the turn of a request. `ms` is how long the process was busy with it, if known. */
export type EndTurn = (ms?: number, part?: number) => void;

/** `left`: no one waits for a response. `refused`: too many wait. */
export type Admitted = EndTurn | "left" | "refused";

interface Account extends Pick<Entrant, "limits" | "isLimited"> {
  ms: number;
  inProgress: number;
  readonly waiting: Set<Waiting>;
}

interface Waiting {
  readonly untilTick: number;
  readonly settle: (outcome: Admitted) => void;
}

const TICK_MS = 20;
/** A tick that is later than this shows that requests wait for the process. */
const LATE_MS = 6;
/** How long a request waits for its turn. */
const LONGEST_WAIT_TICKS = 15_000 / TICK_MS;
/** The most waiting requests of one owner, and of all: a waiting request takes a few kilobytes. */
const MOST_WAITING = 1_000;
const MOST_WAITING_IN_ALL = 5_000;
/** Owners beyond these share an account, so that a caller with many addresses cannot fill the memory. */
const MAX_ACCOUNTS = 10_000;

/**
 * Admits requests of callers without a proven key before any work is done for them. Owners take turns, each at its own
 * rate; a request whose caller leaves is never started. While the event loop is late, all owners together start fewer: the
 * calls of applications and the probes take no turn here, and must not wait for unknown callers.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #onRefused: () => void;
  /** Without the accounts that are full and have no request. */
  readonly #accounts = new Map<string, Account>();
  /** Accounts with waiting requests, in the order of their turns. */
  readonly #queue = new Set<Account>();
  readonly #beginTicking: () => void;
  #tick = 0;
  #tickedAt = 0;
  /** Requests that can start in a tick, and that have not in this one. */
  #pace: number;
  #left: number;
  #inProgress = 0;
  #waiting = 0;

  constructor(limits: AdmissionLimits, clock: Pick<Clock, "after">, onRefused: () => void = () => undefined) {
    this.#limits = limits;
    this.#onRefused = onRefused;
    this.#pace = limits.starts;
    this.#left = limits.starts;
    this.#beginTicking = ticking(clock, TICK_MS, () => this.#onTick());
  }

  get waiting(): number {
    return this.#waiting;
  }

  get inProgress(): number {
    return this.#inProgress;
  }

  /** Settles when it is the request's turn; call the result when its work has ended. */
  async admit(entrant: Entrant, presence: Pick<Presence, "hasLeft" | "whenLeft">): Promise<Admitted> {
    if (presence.hasLeft) return "left";
    const account = this.#accountOf(entrant);
    if (this.#tickedAt === 0) this.#tickedAt = performance.now();
    this.#beginTicking();
    if (account.waiting.size === 0 && this.#canStart(account)) return this.#start(account);
    if (account.waiting.size >= MOST_WAITING || this.#waiting >= MOST_WAITING_IN_ALL) {
      this.#onRefused();
      return "refused";
    }
    return new Promise((resolve) => {
      const settle = (outcome: Admitted) => {
        account.waiting.delete(waiting);
        if (account.waiting.size === 0) this.#queue.delete(account);
        this.#waiting -= 1;
        stay();
        resolve(outcome);
      };
      const waiting = { untilTick: this.#tick + LONGEST_WAIT_TICKS, settle };
      const stay = presence.whenLeft(() => settle("left"));
      account.waiting.add(waiting);
      this.#queue.add(account);
      this.#waiting += 1;
    });
  }

  #accountOf({ owner, limits, isLimited }: Entrant): Account {
    const name = this.#accounts.has(owner) || this.#accounts.size < MAX_ACCOUNTS ? owner : "others";
    const found = this.#accounts.get(name);
    const account = found ?? { ms: limits.burstMs, inProgress: 0, limits, isLimited, waiting: new Set() };
    if (found === undefined) this.#accounts.set(name, account);
    return account;
  }

  #canStart({ ms, inProgress, isLimited }: Account): boolean {
    const { slots, slotsOfOwner } = this.#limits;
    return this.#left > 0 && this.#inProgress < slots && inProgress < slotsOfOwner && (ms > 0 || !isLimited());
  }

  #start(account: Account): EndTurn {
    const { leastMs } = account.limits;
    this.#left -= 1;
    this.#inProgress += 1;
    account.inProgress += 1;
    const isLimited = account.isLimited();
    if (isLimited) account.ms -= leastMs;
    let isEnded = false;
    return (ms = 0, part = 1) => {
      if (isEnded) return;
      isEnded = true;
      this.#inProgress -= 1;
      account.inProgress -= 1;
      if (isLimited) account.ms += leastMs - Math.max(ms, leastMs * part);
      this.#startWaiting();
    };
  }

  /** One request of each owner in turn, while any can start. */
  #startWaiting(): void {
    let isProgress = this.#waiting > 0;
    while (isProgress && this.#left > 0) {
      isProgress = false;
      for (const account of [...this.#queue]) {
        const [next] = account.waiting;
        if (next === undefined || !this.#canStart(account)) continue;
        // Its next turn is the last.
        this.#queue.delete(account);
        next.settle(this.#start(account));
        if (account.waiting.size > 0) this.#queue.add(account);
        isProgress = true;
      }
    }
  }

  #onTick(): boolean {
    const { starts, startsWhenLate } = this.#limits;
    const now = performance.now();
    const isLate = now - this.#tickedAt > TICK_MS + LATE_MS;
    this.#tickedAt = now;
    this.#tick += 1;
    this.#pace = isLate ? Math.max(startsWhenLate, Math.floor(this.#pace / 2)) : Math.min(starts, this.#pace + 1);
    this.#left = this.#pace;
    for (const account of this.#accounts.values()) {
      const { msPerSecond, burstMs } = account.limits;
      account.ms = Math.min(burstMs, account.ms + (msPerSecond * TICK_MS) / 1_000);
    }
    for (const { waiting } of this.#queue) {
      for (const { untilTick, settle } of waiting) {
        if (untilTick > this.#tick) break;
        settle("refused");
        this.#onRefused();
      }
    }
    this.#startWaiting();
    for (const [name, { ms, limits, inProgress, waiting }] of this.#accounts)
      if (inProgress === 0 && waiting.size === 0 && ms >= limits.burstMs) this.#accounts.delete(name);
    const isNeeded = this.#accounts.size > 0;
    if (!isNeeded) this.#tickedAt = 0;
    return isNeeded;
  }
}
