import { seededRandom } from "../../apps/simulator/src/shared/random.ts";

/** Random choices that a seed decides, so that each request can be made again. */
export class Random {
  readonly chance: (probability: number) => boolean;
  readonly pick: <Value>(values: readonly Value[]) => Value;
  /** 0 up to `limit`, without `limit`. */
  readonly below: (limit: number) => number;

  constructor(seed: string) {
    const { chance, fraction, pick } = seededRandom(seed);
    this.chance = chance;
    this.pick = pick;
    this.below = (limit) => Math.floor(fraction() * limit);
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
