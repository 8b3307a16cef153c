import { createHash, randomBytes } from "node:crypto";

/** A deterministic random number generator, seeded by its parts. */
export interface SeededRandom {
  /** In [0, 1). */
  fraction(): number;
  /** Integer from `min` to `max`, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

type Part = string | number;

export function digest(...parts: Part[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}

/** mulberry32. */
export function seededRandom(...parts: Part[]): SeededRandom {
  let state = digest(...parts).readUInt32LE(0);
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    fraction,
    int: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    chance: (probability) => fraction() < probability,
    pick: (list) => {
      const picked = list[Math.floor(fraction() * list.length)];
      if (picked === undefined) throw new Error("The list must not be empty.");
      return picked;
    },
  };
}

/** Decimal digits of a digest, for ids; not uniformly distributed. */
export function digits(length: number, ...parts: Part[]): string {
  let text = "";
  for (let round = 0; text.length < length; round += 1) {
    text += BigInt(`0x${digest(...parts, round).toString("hex")}`).toString();
  }
  return text.slice(0, length);
}

/** A secret of `bytes` random bytes, base64url. */
export function unguessable(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}
