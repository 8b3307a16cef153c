import { revealed, type SecretText } from "@social-connect/sdk-core";
import { EventError } from "./eventError.ts";

const SECRET = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/;
/** The 32 bytes of an HMAC with SHA-256. Its last letter has unused bits, which must be 0: another text would be the same bytes. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/;
/** The service sends at most two. */
const MAX_SIGNATURES = 10;
const HMAC = { name: "HMAC", hash: "SHA-256" };

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The keys of one or more secrets. Throws for any other value, such as a variable that is not set. */
export async function keysOf(secrets: SecretText | readonly SecretText[]): Promise<readonly Key[]> {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (all.length === 0) throw new EventError("SECRET_INVALID");
  return Promise.all(all.map(keyOf));
}

async function keyOf(secret: unknown): Promise<Key> {
  const [, text] = SECRET.exec(revealed(secret) ?? "") ?? [];
  if (text === undefined || text.length % 4 !== 0) throw new EventError("SECRET_INVALID");
  return crypto.subtle.importKey("raw", bytesOf(text), HMAC, false, ["verify"]);
}

/** Whether one of the signatures of a header is of one of the keys. `verify` compares in constant time. */
export async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  header: string,
  keys: readonly Key[],
): Promise<boolean> {
  const signatures = header.split(" ", MAX_SIGNATURES).flatMap((text) => SIGNATURE.exec(text)?.[1] ?? []);
  for (const key of keys) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify(HMAC, key, bytesOf(signature), content)) return true;
    }
  }
  return false;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
