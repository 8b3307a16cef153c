import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 in hexadecimal: the stored form of a key, token, proof or scope. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 in base64url without padding: a PKCE challenge (RFC 7636, section 4.2). */
export function sha256Base64url(text: string): string {
  return toBase64url(sha256(utf8ToBytes(text)));
}

/** HMAC-SHA-256 of several strings, encoded so that the boundaries between them matter. */
export function keyedHash(key: string, ...parts: readonly string[]): Uint8Array {
  return hmac(sha256, utf8ToBytes(key), utf8ToBytes(JSON.stringify(parts)));
}

export function toBase64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** null for a string that is not base64url. */
export function fromBase64url(text: string): Uint8Array | null {
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
