import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import type { Secret } from "./secret.ts";

const ALGORITHM = "aes-256-gcm";
const FORMAT = "v1";
/** 96 bits, as NIST SP 800-38D 5.2.1.1 requires for random values. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface EncryptionKey {
  /** Public name of the key, stored with every value that it encrypted. */
  readonly id: string;
  /** 32 bytes, base64. */
  readonly key: Secret;
}

/**
 * Encrypts values that must be read later: provider credentials, PKCE verifiers, client secrets.
 *
 * `binding` names the place of the value, e.g. `provider_grant/<id>/access_token`. It is authenticated, not stored: an
 * encrypted value copied into another row or column does not decrypt there.
 */
export interface SecretBox {
  /** Ids of the keys; the first one encrypts. */
  readonly keyIds: readonly string[];
  /** Ids of keys that the operator declared lost: their values cannot be decrypted again. */
  readonly lostKeyIds: readonly string[];
  /** The prefix of every value that the first key encrypted, and of no other. */
  readonly freshPrefix: string;
  seal(plaintext: string, binding: string): string;
  /** Throws SecretBoxError when the value was altered, belongs elsewhere, or its key is missing. */
  open(sealed: string, binding: string): string;
  /** True when a lost key encrypted it. */
  isLost(sealed: string): boolean;
  /** True when another than the first key encrypted it: it has to be re-encrypted. */
  isStale(sealed: string): boolean;
  /** The same value under the first key; safe to repeat and to interrupt, because every key of the ring decrypts. */
  reencrypt(sealed: string, binding: string): string;
  /** 64 hexadecimal characters that are the same for the same name and first key, and secret without the key. */
  derive(name: string): string;
}

export class SecretBoxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SecretBoxError";
  }
}

/**
 * The first key encrypts; all decrypt. To rotate, add a new key first and retain the old one until nothing is stale.
 */
export function createSecretBox(ring: readonly EncryptionKey[], lostKeyIds: readonly string[] = []): SecretBox {
  const [first] = ring;
  if (first === undefined) throw new SecretBoxError("the key ring is empty");
  // As key objects: encrypting with the raw bytes took four times as long.
  const keys = new Map(ring.map(({ id, key }) => [id, createSecretKey(key.reveal(), "base64")]));
  if (keys.size !== ring.length) throw new SecretBoxError("two encryption keys have the same id");

  const keyOf = (id: string): KeyObject => {
    const key = keys.get(id);
    if (key === undefined) throw new SecretBoxError(`no encryption key has the id ${JSON.stringify(id)}`);
    return key;
  };

  const seal = (plaintext: string, binding: string): string => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, keyOf(first.id), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(additionalData(first.id, binding));
    const body = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return [FORMAT, first.id, nonce.toString("base64url"), body.toString("base64url")].join(".");
  };

  const open = (sealed: string, binding: string): string => {
    const { keyId, nonce, body } = parse(sealed);
    const decipher = createDecipheriv(ALGORITHM, keyOf(keyId), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(keyId, binding));
    decipher.setAuthTag(body.subarray(body.length - TAG_BYTES));
    try {
      const start = decipher.update(body.subarray(0, body.length - TAG_BYTES));
      return Buffer.concat([start, decipher.final()]).toString("utf8");
    } catch {
      // The cause is dropped on purpose: it only reports a wrong tag.
      throw new SecretBoxError("an encrypted value was altered or belongs to another row");
    }
  };

  const isStale = (sealed: string): boolean => parse(sealed).keyId !== first.id;

  return {
    keyIds: [...keys.keys()],
    lostKeyIds,
    freshPrefix: `${FORMAT}.${first.id}.`,
    seal,
    open,
    isStale,
    isLost: (sealed) => lostKeyIds.includes(parse(sealed).keyId),
    reencrypt: (sealed, binding) => (isStale(sealed) ? seal(open(sealed, binding), binding) : sealed),
    derive: (name) => {
      const key = new Uint8Array(hkdfSync("sha256", keyOf(first.id), "", "derived values", 32));
      return createHmac("sha256", key).update(name).digest("hex");
    },
  };
}

function additionalData(keyId: string, binding: string): Buffer {
  return Buffer.from(`${FORMAT}.${keyId}.${binding}`, "utf8");
}

function parse(sealed: string): { keyId: string; nonce: Buffer; body: Buffer } {
  const [format, keyId, nonceText, bodyText, ...rest] = sealed.split(".");
  if (format !== FORMAT || !keyId || nonceText === undefined || bodyText === undefined || rest.length > 0) {
    throw new SecretBoxError("an encrypted value has an unknown format");
  }
  const nonce = readBase64url(nonceText);
  const body = readBase64url(bodyText);
  if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) {
    throw new SecretBoxError("an encrypted value has an unknown format");
  }
  return { keyId, nonce, body };
}

/** Node ignores characters outside the alphabet and surplus bits; an altered string must be rejected. */
function readBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text) throw new SecretBoxError("an encrypted value has an unknown format");
  return bytes;
}

/** For a process without an encryption key. */
export const LOCKED_BOX: SecretBox = {
  keyIds: [],
  lostKeyIds: [],
  freshPrefix: "",
  seal: refuseWithoutKey,
  open: refuseWithoutKey,
  isStale: refuseWithoutKey,
  isLost: refuseWithoutKey,
  reencrypt: refuseWithoutKey,
  derive: refuseWithoutKey,
};

function refuseWithoutKey(): never {
  throw new SecretBoxError("this process has no encryption key");
}
