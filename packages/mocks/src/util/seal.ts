import { utf8ToBytes } from "@noble/hashes/utils.js";
import { fromBase64url, keyedHash, toBase64url } from "./hash.ts";
import { randomFor } from "./random.ts";

const TAG_BYTES = 16;

/**
 * Encrypts and authenticates a cursor's position, bound to its query. Deterministic, so that responses depend only on the
 * seed.
 */
export function seal(key: string, binding: readonly string[], plain: string): string {
  const tag = keyedHash(key, "tag", JSON.stringify(binding), plain).slice(0, TAG_BYTES);
  const body = xorKeyStream(key, tag, utf8ToBytes(plain));
  const sealed = new Uint8Array(tag.length + body.length);
  sealed.set(tag);
  sealed.set(body, tag.length);
  return toBase64url(sealed);
}

/** The sealed position; null for a string that was altered, belongs to another query, or was not issued by this mock. */
export function unseal(key: string, binding: readonly string[], sealed: string): string | null {
  const bytes = fromBase64url(sealed);
  if (bytes === null || bytes.length <= TAG_BYTES) return null;
  const tag = bytes.slice(0, TAG_BYTES);
  let plain: string;
  try {
    plain = new TextDecoder("utf-8", { fatal: true }).decode(xorKeyStream(key, tag, bytes.slice(TAG_BYTES)));
  } catch {
    return null;
  }
  return seal(key, binding, plain) === sealed ? plain : null;
}

/** XORs the bytes with a key stream; the tag authenticates them. */
function xorKeyStream(key: string, tag: Uint8Array, bytes: Uint8Array): Uint8Array {
  const random = randomFor(key, toBase64url(tag));
  return bytes.map((byte) => byte ^ (random.word() & 0xff));
}
