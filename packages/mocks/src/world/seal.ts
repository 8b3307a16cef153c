import { utf8ToBytes } from "@noble/hashes/utils.js";
import { fromBase64url, keyedHash, toBase64url } from "./hash.ts";

const TAG_BYTES = 16;
const BLOCK_BYTES = 32;

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

function veil(key: string, tag: Uint8Array, bytes: Uint8Array): Uint8Array {
  const name = toBase64url(tag);
  const veiled = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    const stream = keyedHash(key, "veil", name, String(start));
    for (let index = start; index < Math.min(start + BLOCK_BYTES, bytes.length); index += 1) {
      veiled[index] = (bytes[index] ?? 0) ^ (stream[index - start] ?? 0);
    }
  }
  return veiled;
}
