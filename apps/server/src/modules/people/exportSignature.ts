import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { SecretBox } from "../../platform/secrets/secretBox.ts";

/** The last line of an export. It covers all bytes before that line. */
export interface ExportSignature {
  readonly algorithm: "Ed25519 of the SHA-256 digest of all lines before this one";
  /** Id of the encryption key from which the signing key is derived. */
  readonly keyId: string;
  /** PEM, SPKI. */
  readonly publicKey: string;
  /** Base64. */
  readonly signature: string;
}

/** How the last line begins; the others end before it. */
export const SIGNATURE_LINE = ',"signature":';
const ALGORITHM: ExportSignature["algorithm"] = "Ed25519 of the SHA-256 digest of all lines before this one";

/** RFC 8410: a private key of Ed25519 is this prefix and 32 bytes. */
const PKCS8_PREFIX = "302e020100300506032b657004220420";

/** The deployment's signing key, derived from its first encryption key. */
function signingKey(secretBox: Pick<SecretBox, "derive">): KeyObject {
  const key = Buffer.from(PKCS8_PREFIX + secretBox.derive("signature of exports"), "hex");
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

export function signExport(secretBox: Pick<SecretBox, "derive" | "keyIds">, digest: Uint8Array): ExportSignature {
  const key = signingKey(secretBox);
  return {
    algorithm: ALGORITHM,
    keyId: secretBox.keyIds[0] ?? "",
    publicKey: publicKeyOf(secretBox),
    signature: sign(null, digest, key).toString("base64"),
  };
}

/** PEM of the key that verifies the deployment's exports. */
export function publicKeyOf(secretBox: Pick<SecretBox, "derive">): string {
  return createPublicKey(signingKey(secretBox)).export({ type: "spki", format: "pem" }).toString();
}

/** Whether one of these public keys verifies a file, given as its bytes in parts. */
export async function isSignedExport(parts: AsyncIterable<Buffer>, publicKeys: readonly string[]): Promise<boolean> {
  const hash = createHash("sha256");
  // From the beginning of the newest line. Only \n ends a line: a post can contain other separators, such as U+2028.
  let last = Buffer.alloc(0);
  for await (const part of parts) {
    last = Buffer.concat([last, part]);
    const end = last.lastIndexOf("\n", -2) + 1;
    hash.update(last.subarray(0, end));
    last = last.subarray(end);
  }
  const signature = signatureOf(last.toString());
  const digest = hash.digest();
  return signature !== null && publicKeys.some((key) => verify(null, digest, createPublicKey(key), signature));
}

/** null for a line without a complete signature. */
function signatureOf(line: string): Buffer | null {
  if (!line.startsWith(SIGNATURE_LINE) || !line.endsWith("}}\n")) return null;
  try {
    const { signature }: ExportSignature = JSON.parse(line.slice(SIGNATURE_LINE.length, -"}\n".length));
    return Buffer.from(signature, "base64");
  } catch {
    return null;
  }
}
