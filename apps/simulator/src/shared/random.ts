import { createHash, randomBytes } from "node:crypto";

type Part = string | number;

export function digest(...parts: Part[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
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
