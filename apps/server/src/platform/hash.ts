import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 of a value, as the `…Hash` columns keep it. Without salt: a value is random and long, or names something that is. */
export function sha256(value: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return createHash("sha256").update(value).digest();
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function equalHashes(left: Uint8Array, right: Uint8Array): boolean {
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
