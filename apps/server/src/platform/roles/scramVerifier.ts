import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** As PostgreSQL's own. */
const ITERATIONS = 4_096;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Their preparation by SASLprep (RFC 4013) is the identity, and they cannot be mistaken in a file. */
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The verifier that PostgreSQL stores of a password (RFC 5803). Sent instead of the password, so that no log of the server contains
 * it.
 *
 * @throws if the password has other than printable ASCII characters
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  if (!PRINTABLE.test(password))
    throw new Error("a password must have printable ASCII characters only, without spaces");
  const salted = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const storedKey = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const serverKey = keyOf("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
