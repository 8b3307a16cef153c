import { randomBytes, randomUUID } from "node:crypto";

/** A new id for a row: a random UUID (RFC 9562, version 4), so that an id tells nothing of when or after whom. */
export function newId(): string {
  return randomUUID();
}

/** 256 random bits as 64 lowercase hexadecimal characters: launch tokens, proofs, states and key secrets. */
export function newSecretHex(): string {
  return randomBytes(32).toString("hex");
}
