import pg from "pg";
import { offTrail } from "../call/trail.ts";

/** A setting of PostgreSQL that a cluster, a database or a role can change, and that the service depends on. */
export interface SessionSetting {
  readonly name: string;
  readonly value: string;
  /** What depends on it. */
  readonly reason: string;
  /** Other values that are as good, for sessions where it cannot be set. */
  readonly accepts?: RegExp;
  /** Whether the service leaves it to an administrator: it may not set it, or should not. */
  readonly isOnlyChecked?: true;
  /** Whether it limits how long something may take. Each pool of the service sets its own. */
  readonly isLimit?: true;
  /** The limit that the role needs if the service cannot set its own: a hung process holds no lock. */
  readonly roleLimit?: string;
  /** The first version of PostgreSQL that has it, if 15 does not. */
  readonly since?: number;
}

const OWN_LIMIT = "the service sets its own for each pool";

/** Each session of the service has these. The same table is in docs/operations/database.md. */
export const SESSION_SETTINGS: readonly SessionSetting[] = [
  {
    name: "TimeZone",
    value: "UTC",
    reason: "the driver writes and reads times without an offset",
    accepts: /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal|Greenwich)$/i,
  },
  { name: "DateStyle", value: "ISO, MDY", reason: "the driver reads times in ISO style", accepts: /^ISO\b/ },
  { name: "IntervalStyle", value: "postgres", reason: "the driver reads intervals" },
  { name: "search_path", value: "public", reason: "statements name tables without a schema" },
  { name: "client_encoding", value: "UTF8", reason: "the driver sends and reads UTF-8" },
  { name: "bytea_output", value: "hex", reason: "the driver reads binary values" },
  { name: "standard_conforming_strings", value: "on", reason: "a backslash in a literal is a backslash" },
  { name: "extra_float_digits", value: "1", reason: "numbers are read exactly", accepts: /^[123]$/ },
  { name: "transform_null_equals", value: "off", reason: "a comparison with NULL is never true" },
  { name: "array_nulls", value: "on", reason: "arrays contain NULL values" },
  { name: "quote_all_identifiers", value: "off", reason: "the service compares names of the catalog" },
  {
    name: "default_transaction_isolation",
    value: "read committed",
    reason: "writers wait for locks instead of failing",
  },
  { name: "default_table_access_method", value: "heap", reason: "migrations create tables whose rows change" },
  { name: "exit_on_error", value: "off", reason: "an error does not end the session" },
  { name: "statement_timeout", value: "0", reason: OWN_LIMIT, isLimit: true, roleLimit: "10s" },
  { name: "lock_timeout", value: "0", reason: OWN_LIMIT, isLimit: true },
  { name: "idle_in_transaction_session_timeout", value: "0", reason: OWN_LIMIT, isLimit: true, roleLimit: "30s" },
  { name: "idle_session_timeout", value: "0", reason: "pools keep idle connections", isLimit: true },
  {
    name: "transaction_timeout",
    value: "0",
    reason: "migrations take longer than other transactions",
    isLimit: true,
    since: 17,
  },
  {
    name: "default_transaction_read_only",
    value: "off",
    reason: "the service writes, and an administrator who sets it expects no writes",
    isOnlyChecked: true,
  },
  {
    name: "session_replication_role",
    value: "origin",
    reason: "foreign keys delete dependent rows; only a superuser sets it",
    isOnlyChecked: true,
  },
];

/** What the role of the service needs behind a pooler in transaction mode, which keeps no settings of a session. */
export const POOLED_ROLE_SETTINGS: ReadonlyMap<string, string> = new Map(
  SESSION_SETTINGS.flatMap(({ name, value, isOnlyChecked, isLimit, roleLimit }) => {
    if (isOnlyChecked || (isLimit && roleLimit === undefined)) return [];
    return [[name, roleLimit ?? value] as const];
  }),
);

/** `SET` resolves no name in a schema, so that a search path cannot replace a function that it uses. */
const SET_SESSION = SESSION_SETTINGS.filter(({ isOnlyChecked }) => !isOnlyChecked)
  .map(({ name, value, since }) =>
    since === undefined
      ? `SET ${name} = '${value}'`
      : `SELECT pg_catalog.set_config('${name}', '${value}', false)
          WHERE pg_catalog.current_setting('${name}', true) IS NOT NULL`,
  )
  .join(";\n");

/**
 * A client whose sessions have the service's settings, regardless of the cluster, the database and the role. As statements,
 * because PgBouncer refuses parameters of a connection, also in session mode. Not for a pooler in transaction mode. It needs a
 * listener for `error` before it connects.
 */
export class SessionClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = super.connect().then(() => this.#set());
    if (callback === undefined) return connected;
    // A pool expects no error when it has connected.
    const report = callback as (error?: Error) => void;
    connected.then(() => report(), report);
    return undefined;
  }

  async #set(): Promise<pg.Client> {
    try {
      await offTrail(() => this.query(SET_SESSION));
    } catch (error) {
      // A pool discards a client that did not connect, without closing it.
      await this.end().catch(() => undefined);
      throw error;
    }
    return this;
  }
}
