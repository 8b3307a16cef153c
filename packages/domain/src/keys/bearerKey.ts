import { ADMIN_KEY_PREFIX } from "@social-connect/contract";

/** The two halves of a key. The secret is compared as it came, by its hash; it belongs in no log, error or answer. */
export interface BearerKey {
  /** Lower-case UUID. */
  readonly keyId: string;
  readonly secret: string;
}

const UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const APPLICATION_KEY = new RegExp(`^Bearer (${UUID})\\.([0-9a-fA-F]{64})$`);
const ADMIN_KEY = new RegExp(`^Bearer ${ADMIN_KEY_PREFIX}_(${UUID})\\.([0-9a-f]{64})$`);

/**
 * Reads `Authorization: Bearer <uuid>.<64 hex>`; null for anything else, however near. One space, the scheme written
 * exactly so, nothing before or after.
 *
 * The key id may be written in either case (RFC 9562, section 4) and is returned in lower case. The secret may hold hex
 * digits of either case and is not changed: a secret in another case than issued is a wrong secret.
 * Source: service description, part 5, rules 1 and 2.
 */
export function parseApplicationKey(authorizationHeader: string | null): BearerKey | null {
  return parse(APPLICATION_KEY, authorizationHeader);
}

/** Reads `Authorization: Bearer scadm_<uuid>.<64 lower-case hex>`. Source: service description, part 5, admin rule 1. */
export function parseAdminKey(authorizationHeader: string | null): BearerKey | null {
  return parse(ADMIN_KEY, authorizationHeader);
}

/** The key in the form that is shown once and then sent with each call, without the scheme. */
export function applicationKeyText(key: BearerKey): string {
  return `${key.keyId}.${key.secret}`;
}

/** The admin key in the form that is shown once and then sent with each call, without the scheme. */
export function adminKeyText(key: BearerKey): string {
  return `${ADMIN_KEY_PREFIX}_${key.keyId}.${key.secret}`;
}

/** True for what a launch token can be. Source: service description, part 2, ConnectSession. */
export function isLaunchToken(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function parse(shape: RegExp, header: string | null): BearerKey | null {
  const match = header === null ? null : shape.exec(header);
  const [, keyId, secret] = match ?? [];
  return keyId === undefined || secret === undefined ? null : { keyId: keyId.toLowerCase(), secret };
}
