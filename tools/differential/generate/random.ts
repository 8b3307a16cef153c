/**
 * Pseudo-random numbers derived from a seed, so that a run can be repeated (mulberry32: 32 bits of state are enough
 * here).
 */
export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = 0x9e3779b9;
    for (const character of seed)
      this.#state = Math.imul(this.#state ^ (character.codePointAt(0) ?? 0), 0x85ebca6b) | 0;
  }

  /** In [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Value>(list: readonly Value[]): Value {
    const picked = list[this.int(0, list.length - 1)];
    if (picked === undefined) throw new Error("The list to pick from is empty.");
    return picked;
  }

  /** Picks by weight; an entry of weight 0 is never picked. */
  weighted<Value>(entries: readonly (readonly [weight: number, value: Value])[]): Value {
    const total = entries.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.fraction() * total;
    for (const [weight, value] of entries) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new Error("No entry has a weight.");
  }

  /** A non-empty selection in the order of the list. */
  some<Value>(list: readonly Value[]): Value[] {
    const picked = list.filter(() => this.chance(0.5));
    return picked.length > 0 ? picked : [this.pick(list)];
  }
}
