import { hash, timingSafeEqual } from "node:crypto";

/**
 * SHA-256 of a value, as stored in the `…Hash` columns. Unsalted: values are long and random, or name something that
 * is.
 */
export function sha256(value: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return hash("sha256", value, "buffer") as Buffer<ArrayBuffer>;
}

/** Compares two hashes in constant time. */
export function equalHashes(left: Uint8Array, right: Uint8Array): boolean {
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
