import type { Capability, SocialProvider } from "@social-connect/contract";
import type { ApplicationPolicy } from "@social-connect/domain";
import type { Service } from "../service.ts";
import { checkKey, type SentKey } from "./checkKey.ts";
import type { StoredKey } from "./store.ts";

/**
 * The key that a read is for. The statement that reads checks the key too, in the same snapshot, so a read takes one
 * round trip and a revoked key reads nothing.
 */
export interface Reader extends SentKey {
  readonly application: { readonly id: string };
  /** Receives the result of each check: null, or why the key is refused. */
  readonly onChecked?: (refusal: unknown) => void;
}

/** A statement that reads for a key. */
export interface KeyedRead {
  readonly name: string;
  readonly text: string;
}

/** What a read found for a valid key. */
export interface Found<Row> {
  /** null if nothing matched. */
  readonly row: Row | null;
  /** The application's policy, with only the scope's tenant, if it is registered. */
  readonly policy: ApplicationPolicy;
}

/** The key and its application's policy as stored now, as JSON from PostgreSQL. */
interface KeyColumns {
  /** `\x` and hexadecimal digits. */
  readonly keySecretHash: string;
  readonly keyExpiresAt: string | null;
  readonly keyRevokedAt: string | null;
  readonly keyLastUsedAt: string | null;
  readonly applicationEnabled: boolean;
  readonly hasTenant: boolean;
  readonly allowedProviders: readonly SocialProvider[];
  readonly allowedCapabilities: readonly Capability[];
}

/** The database finds the tenant, because an application can have many. */
const KEY_COLUMNS = `
  k.secret_hash AS "keySecretHash", k.expires_at AS "keyExpiresAt", k.revoked_at AS "keyRevokedAt",
  k.last_used_at AS "keyLastUsedAt", a.enabled AS "applicationEnabled", $3 = ANY (a.tenant_keys) AS "hasTenant",
  a.providers AS "allowedProviders", a.capabilities AS "allowedCapabilities"`;

type Columns<Row> = KeyColumns & (Row | { readonly id: null });

/**
 * A read whose result is one row: `columns`, which include `id`, of `application a` and what is joined to it, at most one
 * row. $1 is the key, $2 its application and $3 the tenant. The row is one JSON value, which takes less time than two dozen
 * typed columns, for the database and for this process. Build it once: the driver compares the text of each use.
 */
export function keyedRead(
  name: string,
  { columns, join }: { readonly columns: string; readonly join: string },
): KeyedRead {
  const text = `SELECT row_to_json(found) AS found FROM (
    SELECT ${KEY_COLUMNS}, ${columns}
      FROM application_key k JOIN application a ON a.id = k.application_id ${join}
     WHERE k.id = $1 AND k.application_id = $2) found`;
  return { name, text };
}

/** Checks the key and reads for it in one statement; `values` are $4 and following. Throws the errors of `checkKey`. */
export async function readForKey<Row extends { readonly id: string }>(
  service: Pick<Service, "hotReads" | "reads" | "logger">,
  reader: Reader,
  { read, tenantKey, values, now }: { read: KeyedRead; tenantKey: string; values: readonly unknown[]; now: Date },
): Promise<Found<Row>> {
  const [{ found } = { found: null }] = await service.hotReads.query<{ readonly found: Columns<Row> }>({
    ...read,
    values: [reader.keyId, reader.application.id, tenantKey, ...values],
  });
  const { policy } = checked(reader, () => checkKey(service, reader, found && storedKey(found, tenantKey), now));
  return { row: found === null || found.id === null ? null : found, policy };
}

function checked<Result>(reader: Reader, check: () => Result): Result {
  try {
    const result = check();
    reader.onChecked?.(null);
    return result;
  } catch (refusal) {
    reader.onChecked?.(refusal);
    throw refusal;
  }
}

function storedKey(columns: KeyColumns, tenantKey: string): StoredKey & { readonly policy: ApplicationPolicy } {
  return {
    secretHash: bytesOf(columns.keySecretHash),
    expiresAt: dateOf(columns.keyExpiresAt),
    revokedAt: dateOf(columns.keyRevokedAt),
    lastUsedAt: dateOf(columns.keyLastUsedAt),
    application: { enabled: columns.applicationEnabled },
    policy: {
      enabled: columns.applicationEnabled,
      tenantKeys: columns.hasTenant ? [tenantKey] : [],
      providers: columns.allowedProviders,
      capabilities: columns.allowedCapabilities,
    },
  };
}

/** A timestamp that PostgreSQL wrote as JSON. */
export function dateOf(timestamp: string): Date;
export function dateOf(timestamp: string | null): Date | null;
export function dateOf(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(timestamp);
}

/** A `bytea` that PostgreSQL wrote as JSON: `\x` and hexadecimal digits. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text.slice(2), "hex");
}
