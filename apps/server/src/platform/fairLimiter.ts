import type { Refusal } from "@social-connect/domain";
import { AppError } from "@social-connect/domain";
import type { OwnersMember } from "./callingOwners.ts";
import { CallingOwners } from "./callingOwners.ts";
import type { Clock } from "./clock.ts";

/** How many calls run at the same time in this process, and how many wait. */
export interface FairLimits {
  /** Slots of the process. A call takes one for each of its operations. */
  readonly slots: number;
  /** How many of them one owner can take while other owners call too, or wait for a response. */
  readonly share: number;
  /** How many of those, together with the slots of limiters that share owners, can be of calls that are not slow. */
  readonly shareInAll: number;
  /** How many of them one owner can take while no other owner calls. */
  readonly shareAlone: number;
  /** How many of them one operation can take. */
  readonly operationSlots: number;
  /** Operations that share connections, so that a blocked one takes none from others, and how many slots one can take. */
  readonly sharing?: { readonly operations: ReadonlySet<string>; readonly operationSlots: number };
  /** Maximum number of waiting calls of one owner. */
  readonly queueLength: number;
  /** How long a call waits for its turn, in milliseconds. */
  readonly queueMs: number;
}

export interface LimitedCall {
  /** Whose share the call uses, e.g. an application's id. */
  readonly owner: string;
  /** Names of what the call runs, with repetitions. */
  readonly operations: readonly string[];
  /** Registers a function to run when the caller disconnects; returns how to remove it. */
  readonly whenLeft?: (run: () => void) => () => void;
}

/** The current state of a limiter, for metrics. */
export interface LimiterCounts {
  readonly slotsInUse: number;
  readonly inProgress: number;
  readonly waiting: number;
  /** By owner; an owner without a call is absent. */
  readonly owners: ReadonlyMap<string, { readonly inProgress: number; readonly waiting: number }>;
  /** Refused calls by owner, since the process started. */
  readonly refused: ReadonlyMap<string, number>;
}

/** The slots that a call takes. */
interface Demand {
  readonly owner: string;
  readonly slots: number;
  readonly operations: readonly (readonly [name: string, slots: number])[];
  /** It does not count for `shareInAll`. */
  isSlow: boolean;
  /** It counts only for its operations. */
  isBlocked: boolean;
}

interface Waiting {
  readonly operations: readonly string[];
  readonly start: (demand: Demand) => void;
}

interface Owner {
  inProgress: number;
  slotsInUse: number;
  readonly slotsByOperation: Map<string, number>;
  /** The same without those of blocked calls. */
  readonly activeByOperation: Map<string, number>;
  readonly waiting: Waiting[];
}

/** What a call waits for: slots of its owner or of the process, for any operation or for one. */
interface Shortage {
  readonly of: "owner" | "process";
  readonly operation: string | null;
}

const CALLER_LEFT: Refusal = { code: "UPSTREAM_UNAVAILABLE", message: "The request was aborted." };
/**
 * How late a refusal is sent. Without it, 150 callers that immediately repeat refused calls keep the process busy with
 * refusals, which made another application's calls 30 times slower in the benchmark.
 */
const REFUSED_AFTER_MS = 1_000;
/** How many refusals of an owner are delayed, for each place in its queue. More are sent immediately. */
const DELAYED_PER_PLACE = 16;

/**
 * Limits the calls in progress of each owner and of the process. Excess calls wait in a short queue of their owner, and
 * owners with waiting calls take turns. A call that finds its owner's queue full, or waits too long, is refused.
 *
 * An operation leaves slots of the process, and one of its owner's, to other operations: if it blocks, for example because
 * its table is locked, the others still run. Several operations can need the same table, so blocked calls that take no
 * connection from others soon count only for their operation.
 */
export class FairLimiter implements OwnersMember {
  readonly limits: FairLimits;
  readonly #clock: Pick<Clock, "after">;
  readonly #refusal: Refusal;
  readonly #calling: CallingOwners;
  /** Owners with a call in progress or waiting, in the order of their turns. */
  readonly #owners = new Map<string, Owner>();
  readonly #slotsByOperation = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #delayed = new Map<string, number>();
  readonly #running = new Set<Demand>();
  #slotsInUse = 0;
  #waiting = 0;

  /** `refusal` is the error of a refused call. Limiters that share `calling` consider each other's calls. */
  constructor(limits: FairLimits, clock: Pick<Clock, "after">, refusal: Refusal, calling = new CallingOwners(clock)) {
    this.limits = limits;
    this.#clock = clock;
    this.#refusal = refusal;
    this.#calling = calling;
    calling.join(this);
  }

  /**
   * Runs `work` when it is the call's turn, with the number of slots that it takes. They are free again when `work` settles,
   * however it does.
   */
  async run<T>(call: LimitedCall, work: (slots: number) => Promise<T>): Promise<T> {
    this.#calling.add(call.owner);
    const demand = this.#startAtOnce(call) ?? (await this.#waitForTurn(call));
    try {
      return await work(demand.slots);
    } finally {
      this.#release(demand);
      this.#calling.startWaiting();
    }
  }

  counts(): LimiterCounts {
    const owners = [...this.#owners].map(
      ([id, { inProgress, waiting }]) => [id, { inProgress, waiting: waiting.length }] as const,
    );
    return {
      slotsInUse: this.#slotsInUse,
      inProgress: owners.reduce((sum, [, { inProgress }]) => sum + inProgress, 0),
      waiting: this.#waiting,
      owners: new Map(owners),
      refused: new Map(this.#refused),
    };
  }

  /** The slots that the call took; null if it has to wait. */
  #startAtOnce({ owner: id, operations }: LimitedCall): Demand | null {
    if (this.#waiting > 0) return null;
    const owner = this.#ownerOf(id);
    const share = this.#shareOf(id);
    const demand = this.#demandOf(id, operations, share);
    if (this.#shortageOf(owner, demand, share) !== null) return null;
    this.#change(owner, demand, 1);
    return demand;
  }

  async #waitForTurn(call: LimitedCall): Promise<Demand> {
    const outcome = await this.#turnOf(call);
    if (typeof outcome === "object") return outcome;
    if (outcome === "left") throw new AppError(CALLER_LEFT);
    add(this.#refused, call.owner, 1);
    if (outcome === "queue full") await this.#delay(call);
    throw new AppError(this.#refusal);
  }

  #turnOf(call: LimitedCall): Promise<Demand | "queue full" | "too late" | "left"> {
    const owner = this.#ownerOf(call.owner);
    return new Promise((resolve) => {
      let stop: (() => void)[] = [];
      const settle = (outcome: Demand | "queue full" | "too late" | "left") => {
        owner.waiting.splice(owner.waiting.indexOf(waiting), 1);
        this.#waiting -= 1;
        for (const undo of stop) undo();
        stop = [];
        resolve(outcome);
        if (typeof outcome === "object") return;
        this.#forget(call.owner, owner);
        // It may have been first in turn, before others that need fewer slots.
        this.startWaiting();
      };
      const waiting: Waiting = { operations: call.operations, start: settle };
      owner.waiting.push(waiting);
      this.#waiting += 1;
      this.startWaiting();
      if (!owner.waiting.includes(waiting)) return;
      if (owner.waiting.length > this.limits.queueLength) return settle("queue full");
      this.#calling.watch();
      stop.push(this.#clock.after(this.limits.queueMs, () => settle("too late")));
      if (call.whenLeft) stop.push(call.whenLeft(() => settle("left")));
    });
  }

  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Starts every waiting call that fits, one of each owner in turn. */
  startWaiting(): void {
    if (this.#waiting === 0) return;
    // Operations that wait for slots of the process: no later call of such an operation overtakes.
    const awaited = new Set<string>();
    while (this.#startNext(awaited));
  }

  #startNext(awaited: Set<string>): boolean {
    for (const [id, owner] of this.#owners) {
      const share = this.#shareOf(id);
      const skipped = new Set(awaited);
      for (const { operations, start } of owner.waiting) {
        if (operations.some((name) => skipped.has(name))) continue;
        const demand = this.#demandOf(id, operations, share);
        const shortage = this.#shortageOf(owner, demand, share);
        if (shortage === null) {
          this.#change(owner, demand, 1);
          // To the end of the order.
          this.#owners.delete(id);
          this.#owners.set(id, owner);
          start(demand);
          return true;
        }
        const { of, operation } = shortage;
        if (operation === null && of === "process") return false;
        if (operation === null) break;
        skipped.add(operation);
        if (of === "process") awaited.add(operation);
      }
    }
    return false;
  }

  #shortageOf(owner: Owner, demand: Demand, share: number): Shortage | null {
    const { slots } = this.limits;
    if (this.#countedSlotsOf(owner, share) + demand.slots > share) return { of: "owner", operation: null };
    if (!this.#fitsInAll(demand)) return { of: "owner", operation: null };
    if (this.#slotsInUse + demand.slots > slots) return { of: "process", operation: null };
    for (const [operation, needed] of demand.operations) {
      if (needed + (this.#slotsByOperation.get(operation) ?? 0) > this.#operationSlotsOf(operation))
        return { of: "process", operation };
      if (needed + (owner.slotsByOperation.get(operation) ?? 0) > this.#operationShareOf(operation, share))
        return { of: "owner", operation };
    }
    return null;
  }

  /**
   * An operation counts with at most its own limit. It may have more calls in progress from when its owner was the only one, and
   * if they are blocked, the owner's other operations do not wait for them.
   */
  #countedSlotsOf({ slotsInUse, activeByOperation }: Owner, share: number): number {
    let counted = slotsInUse;
    if (counted < share) return counted;
    for (const [operation, slots] of activeByOperation)
      counted -= Math.max(0, slots - this.#operationShareOf(operation, share));
    return counted;
  }

  /** A call with more operations than its owner has slots takes all of them. */
  #demandOf(owner: string, operations: readonly string[], share: number): Demand {
    const counted = new Map<string, number>();
    for (const name of operations) add(counted, name, 1);
    return {
      owner,
      slots: Math.min(Math.max(1, operations.length), share),
      operations: [...counted].map(([name, slots]) => [name, Math.min(slots, this.#operationShareOf(name, share))]),
      isSlow: false,
      isBlocked: false,
    };
  }

  #operationShareOf(operation: string, share: number): number {
    return Math.min(this.#operationSlotsOf(operation), Math.max(1, share - 1));
  }

  #operationSlotsOf(operation: string): number {
    const { sharing, operationSlots } = this.limits;
    return sharing?.operations.has(operation) ? sharing.operationSlots : operationSlots;
  }

  /** A call that needs more slots than the share starts when the owner has no other. */
  #fitsInAll({ owner, slots }: Demand): boolean {
    const inUse = this.#calling.slotsInUse(owner);
    return inUse === 0 || inUse + slots <= this.limits.shareInAll || !this.#hasOther(owner);
  }

  #shareOf(owner: string): number {
    return this.#hasOther(owner) ? this.limits.share : this.limits.shareAlone;
  }

  /** Another owner's call can take longer than the time for which owners are remembered. */
  #hasOther(owner: string): boolean {
    return this.#owners.size > (this.#owners.has(owner) ? 1 : 0) || this.#calling.hasOther(owner);
  }

  #release(demand: Demand): void {
    const owner = this.#ownerOf(demand.owner);
    this.#change(owner, demand, -1);
    this.#forget(demand.owner, owner);
  }

  #change(owner: Owner, demand: Demand, sign: 1 | -1): void {
    owner.inProgress += sign;
    if (sign === 1) this.#running.add(demand);
    else this.#running.delete(demand);
    if (!demand.isSlow) this.#calling.changeSlots(demand.owner, sign * demand.slots);
    if (!demand.isBlocked) this.#changeActive(owner, demand, sign);
    for (const [name, taken] of demand.operations) {
      add(owner.slotsByOperation, name, sign * taken);
      add(this.#slotsByOperation, name, sign * taken);
    }
  }

  #changeActive(owner: Owner, { slots, operations }: Demand, sign: 1 | -1): void {
    owner.slotsInUse += sign * slots;
    this.#slotsInUse += sign * slots;
    for (const [name, taken] of operations) add(owner.activeByOperation, name, sign * taken);
  }

  watch(): () => void {
    const before = [...this.#running];
    return () => {
      for (const demand of before) if (this.#running.has(demand)) this.#setAside(demand);
    };
  }

  /** Another call of its owner can start. If it takes no connection from others, it leaves its slots too. */
  #setAside(demand: Demand): void {
    const { sharing } = this.limits;
    if (!demand.isSlow) this.#calling.changeSlots(demand.owner, -demand.slots);
    demand.isSlow = true;
    if (demand.isBlocked || !demand.operations.every(([name]) => sharing?.operations.has(name))) return;
    this.#changeActive(this.#ownerOf(demand.owner), demand, -1);
    demand.isBlocked = true;
  }

  /** Waits before a refusal, unless the caller leaves or too many refusals wait already. */
  async #delay({ owner, whenLeft }: LimitedCall): Promise<void> {
    if ((this.#delayed.get(owner) ?? 0) >= this.limits.queueLength * DELAYED_PER_PLACE) return;
    add(this.#delayed, owner, 1);
    await new Promise<void>((resolve) => {
      const stop = whenLeft?.(() => {
        cancel();
        resolve();
      });
      const cancel = this.#clock.after(REFUSED_AFTER_MS, () => {
        stop?.();
        resolve();
      });
    });
    add(this.#delayed, owner, -1);
  }

  #ownerOf(id: string): Owner {
    let owner = this.#owners.get(id);
    if (owner === undefined) {
      owner = { inProgress: 0, slotsInUse: 0, slotsByOperation: new Map(), activeByOperation: new Map(), waiting: [] };
      this.#owners.set(id, owner);
    }
    return owner;
  }

  #forget(id: string, owner: Owner): void {
    if (owner.inProgress === 0 && owner.waiting.length === 0) this.#owners.delete(id);
  }
}

function add(counts: Map<string, number>, name: string, number: number): void {
  const count = (counts.get(name) ?? 0) + number;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
