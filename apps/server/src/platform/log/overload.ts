import type { Logger } from "./logger.ts";

/** What a process refuses because too much of it waits already. */
const OVERLOADED = ["requests", "statements"] as const;
type Overloaded = (typeof OVERLOADED)[number];

/** The first line is written immediately. */
const LINE_EVERY_MS = 10_000;

/** Counts what a process refuses for overload, and logs it in one line every ten seconds: a line for each would add load. */
export class Overload {
  readonly #logger: Logger;
  readonly #counts = new Map<Overloaded, number>(OVERLOADED.map((name) => [name, 0]));
  #pending = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Since the process started; for metrics. */
  counts(): ReadonlyMap<Overloaded, number> {
    return this.#counts;
  }

  count(name: Overloaded): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#pending += 1;
    if (this.#timer === null) this.#write();
  }

  #write(): void {
    this.#timer = null;
    if (this.#pending === 0) return;
    this.#logger.warn({ refused: this.#pending }, "overloaded: refused what would have waited too long");
    this.#pending = 0;
    this.#timer = setTimeout(() => this.#write(), LINE_EVERY_MS).unref();
  }
}

const OVERLOADS = new WeakMap<Logger, Overload>();

/** One per logger, as for the security log. */
export function overload(logger: Logger): Overload {
  const found = OVERLOADS.get(logger) ?? new Overload(logger);
  OVERLOADS.set(logger, found);
  return found;
}
