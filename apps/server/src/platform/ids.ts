import { randomBytes, randomUUID } from "node:crypto";

/** A new id for a row: a random UUID (RFC 9562, version 4), which reveals no time or order. */
export function newId(): string {
  return randomUUID();
}

let logged = 0;

/**
 * An id for a log entry: a UUID ordered by time (RFC 9562, version 7). Within a millisecond, ids of one process are
 * ordered too, so a list by time and id has entries in the order of events.
 */
export function newLogEntryId(at: Date): string {
  const count = BigInt(logged++);
  const low = randomBytes(6).readUIntBE(0, 6) % 2 ** 42;
  const value =
    (BigInt(at.getTime()) << 80n) |
    (7n << 76n) |
    ((count >> 20n) << 64n) |
    (2n << 62n) |
    ((count & 0xfffffn) << 42n) |
    BigInt(low);
  const hex = value.toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** 256 random bits as 64 lowercase hexadecimal characters: launch tokens, proofs, states and key secrets. */
export function newSecretHex(): string {
  return randomBytes(32).toString("hex");
}
