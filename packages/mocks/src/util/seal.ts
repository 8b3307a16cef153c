import { utf8ToBytes } from "@noble/hashes/utils.js";
import { fromBase64url, keyedHash, toBase64url } from "./hash.ts";
import { randomFor } from "./random.ts";

const TAG_BYTES = 16;

/**
 * Makes an opaque text of a position, bound to the query it is given out for: it opens only there, and an altered or foreign
 * one cannot be told from noise. The same position gives the same text, so answers depend on the seed alone.
 */
export function seal(key: string, binding: readonly string[], plain: string): string {
  const tag = keyedHash(key, "tag", JSON.stringify(binding), plain).slice(0, TAG_BYTES);
  const body = veil(key, tag, utf8ToBytes(plain));
  const sealed = new Uint8Array(tag.length + body.length);
  sealed.set(tag);
  sealed.set(body, tag.length);
  return toBase64url(sealed);
}

/** What was sealed; null for a text that was altered, belongs to another query, or is none of ours. */
export function unseal(key: string, binding: readonly string[], sealed: string): string | null {
  const bytes = fromBase64url(sealed);
  if (bytes === null || bytes.length <= TAG_BYTES) return null;
  const tag = bytes.slice(0, TAG_BYTES);
  let plain: string;
  try {
    plain = new TextDecoder("utf-8", { fatal: true }).decode(veil(key, tag, bytes.slice(TAG_BYTES)));
  } catch {
    return null;
  }
  return seal(key, binding, plain) === sealed ? plain : null;
}

/** Hides what is sealed from readers; that nobody alters it is the tag's work. */
function veil(key: string, tag: Uint8Array, bytes: Uint8Array): Uint8Array {
  const random = randomFor(key, toBase64url(tag));
  return bytes.map((byte) => byte ^ (random.word() & 0xff));
}
