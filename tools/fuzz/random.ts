import { createHash } from "node:crypto";

/** Random choices that a seed decides, so that each request can be made again. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** 0 up to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** 0 up to `limit`, without `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("There is nothing to pick from.");
    return value;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  hex(length: number): string {
    return this.bytes(Math.ceil(length / 2))
      .toString("hex")
      .slice(0, length);
  }

  uuid(): string {
    const hex = this.hex(32);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
