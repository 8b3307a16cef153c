import type { Clock } from "./clock.ts";

/** A limiter that considers the calls of others. */
export interface OwnersMember {
  readonly isWaiting: boolean;
  /** Starts every waiting call that fits. */
  startWaiting(): void;
  /** Returns a function that marks the calls in progress as slow, if they are still in progress when it is called. */
  watch(): () => void;
}

const INTERVAL_MS = 1_000;
/** A call that takes longer than this while others wait is slow. */
const SLOW_AFTER_MS = 250;

/** The owners of the calls of several limiters: who has called in this second or in the one before, and their slots in use. */
export class CallingOwners {
  readonly #clock: Pick<Clock, "after">;
  readonly #members: OwnersMember[] = [];
  readonly #slotsInUse = new Map<string, number>();
  #now = new Set<string>();
  #before = new Set<string>();
  #isTimed = false;
  #isWatching = false;

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
  }

  join(member: OwnersMember): void {
    this.#members.push(member);
  }

  add(owner: string): void {
    this.#now.add(owner);
    if (!this.#isTimed) this.#time();
  }

  /** True if someone else than `owner` has called. */
  hasOther(owner: string): boolean {
    for (const owners of [this.#now, this.#before]) if (owners.size > (owners.has(owner) ? 1 : 0)) return true;
    return false;
  }

  /** In all limiters, without those of slow calls. */
  slotsInUse(owner: string): number {
    return this.#slotsInUse.get(owner) ?? 0;
  }

  changeSlots(owner: string, change: number): void {
    const slots = this.slotsInUse(owner) + change;
    if (slots === 0) this.#slotsInUse.delete(owner);
    else this.#slotsInUse.set(owner, slots);
  }

  /** Starts the waiting calls of all limiters. They take turns at being the first. */
  startWaiting(): void {
    for (const member of this.#members) member.startWaiting();
    const [first] = this.#members.splice(0, 1);
    if (first !== undefined) this.#members.push(first);
  }

  /** While calls wait, finds the slow ones. One timer costs less than one for each call. */
  watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const marks = this.#members.map((member) => member.watch());
    this.#clock.after(SLOW_AFTER_MS, () => {
      this.#isWatching = false;
      for (const mark of marks) mark();
      this.startWaiting();
      if (this.#members.some(({ isWaiting }) => isWaiting)) this.watch();
    });
  }

  #time(): void {
    this.#isTimed = true;
    this.#clock.after(INTERVAL_MS, () => {
      this.#before = this.#now;
      this.#now = new Set();
      this.#isTimed = false;
      if (this.#before.size > 0) this.#time();
      this.startWaiting();
    });
  }
}
