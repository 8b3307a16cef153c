import { randomFor } from "../../packages/provider-fixtures/src/index.ts";

export type Random = ReturnType<typeof requestRandom>;

/** Random choices that a seed decides, so that each request can be made again. */
export function requestRandom(seed: string) {
  const { chance, fraction, pick } = randomFor(seed);
  /** 0 up to `limit`, without `limit`. */
  const below = (limit: number) => Math.floor(fraction() * limit);
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
  const hex = (length: number) => bytes(length).toString("hex").slice(0, length);
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  return { chance, pick, below, bytes, hex, uuid };
}
