import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { randomFor } from "@social-connect/provider-fixtures";

/** SHA-256 in hexadecimal: the stored form of a key, token, proof or scope. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 in base64url without padding: a PKCE challenge (RFC 7636, section 4.2). */
export function sha256Base64url(text: string): string {
  return toBase64url(sha256(utf8ToBytes(text)));
}

/** HMAC-SHA-256 of several strings, encoded so that the boundaries between them matter. */
function keyedHash(key: string, ...parts: readonly string[]): Uint8Array {
  return hmac(sha256, utf8ToBytes(key), utf8ToBytes(JSON.stringify(parts)));
}

function toBase64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** null for a string that is not base64url. */
function fromBase64url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    // Rejects a second encoding of the same bytes.
    return toBase64url(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

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
