import { createHash, randomBytes } from "node:crypto";

/** A number source that gives the same numbers for the same parts, on every machine and at every start. */
export interface SeededRandom {
  /** In [0, 1). */
  next(): number;
  /** Whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

type Part = string | number;

export function digest(...parts: Part[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}

/** mulberry32: small, fast, and good enough for invented posts. */
export function seededRandom(...parts: Part[]): SeededRandom {
  let state = digest(...parts).readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => {
      const picked = list[Math.floor(next() * list.length)];
      if (picked === undefined) throw new Error("pick needs a list that is not empty");
      return picked;
    },
  };
}

/** Decimal digits out of a digest; for ids, where evenness does not matter. */
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
