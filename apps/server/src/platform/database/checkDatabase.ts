import pg from "pg";
import { untrustedBecause } from "../network/authorityFile.ts";
import { schemaProblem, sessionProblem } from "./sessionChecks.ts";

const UNTRUSTED =
  "the authority of its certificate is not trusted; name the authority's certificate with sslrootcert in its URL";
const UNREACHABLE = "its host cannot be reached; check the address and the network";
const CLOSED =
  "the server there closes the connection; check that it is PostgreSQL, and that a proxy or firewall in between lets connections through";
const UNUSABLE_TLS =
  "its TLS cannot be used; check that the server there is PostgreSQL, and its TLS versions (ssl_min_protocol_version)";
const NOTHING_LISTENS = "nothing listens there; start PostgreSQL, or correct the host and port";
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: NOTHING_LISTENS,
  ENOTFOUND: "its host is unknown; correct the name",
  EAI_AGAIN: "its host name could not be resolved; correct the name or fix name resolution",
  ETIMEDOUT: "it does not respond; check the address and the network",
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  "28P01": "it refuses the password; correct the user or the password",
  "28000":
    "it refuses the user or the kind of connection; correct the user, allow it in pg_hba.conf, or add sslmode=verify-full to the URL if it admits only TLS",
  "42501": "its user may not connect to it; run GRANT CONNECT ON DATABASE <database> TO <user> as its owner",
  "55000": "it accepts no connections (datallowconn); use another database",
  "57P03": "the server is starting, stopping or recovering; try again when it accepts connections",
  "3D000": "it has no such database; create it, or correct the name",
  "53300":
    "its connection limit is reached; raise max_connections, or lower DATABASE_POOL_SIZE and DATABASE_READ_POOL_SIZE",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another host; use the host name of the certificate, or renew the certificate",
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_HAS_EXPIRED: "its certificate has expired; renew it",
  CERT_NOT_YET_VALID: "its certificate is not valid yet; check the clocks of both machines",
  EPROTO: UNUSABLE_TLS,
};
/** Faults that the driver reports without a code. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^connect (?:ENOENT|ENOTDIR)/, `${NOTHING_LISTENS}; of a socket the host is its folder`],
  [/^connect EACCES/, "the user of this process may not use its socket; correct the folder's permissions"],
  [
    /password must be a/,
    "it asks for a password, and its URL has none; write postgres://user:password@host:5432/database",
  ],
  [
    /authenticationOk message type|Only mechanism/i,
    "it asks for a kind of authentication that the service does not have; use scram-sha-256 in pg_hba.conf",
  ],
  [/error establishing an SSL/, UNUSABLE_TLS],
  [/PEM|ERR_OSSL|no start line/, "a file that its URL names (sslrootcert, sslcert or sslkey) is not PEM; correct it"],
  [/does not support SSL/i, "it does not offer TLS; set ssl = on in postgresql.conf, with a certificate"],
  [
    /^(?:ENOENT|EACCES)\b.*, open /,
    "a file that its URL names (sslrootcert, sslcert or sslkey) cannot be read; correct its path or permissions",
  ],
  [
    /unsupported startup parameter/i,
    "it is a pooler in transaction mode; also set DATABASE_DIRECT_URL to the URL of the database behind it",
  ],
  [
    /query_wait_timeout|query read timeout/i,
    "it accepts connections but runs no statement; if it is a pooler, resume it if it is paused (PgBouncer: RESUME), enlarge its pool if all connections are in use (SHOW POOLS, default_pool_size), and check that it reaches the database",
  ],
  [
    /max_client_conn/,
    "the pooler's limit of clients is reached; raise max_client_conn, or lower DATABASE_POOL_SIZE and DATABASE_READ_POOL_SIZE",
  ],
  [
    /bouncer config error|no such database/i,
    "the pooler has no such database; add it to the pooler's settings, or correct the name",
  ],
  [
    /timeout/i,
    "it does not respond; check the address and the network, and if it is a pooler, that it reaches the database",
  ],
  [
    /terminated unexpectedly|unknown message code/i,
    "the server there is not PostgreSQL, or is shutting down; correct the host and port",
  ],
];
/** A requirement that a reachable database does not meet; its message is the reason. */
class RequirementError extends Error {}

const OLDEST_VERSION = 150_000;

const TIMEOUT_MS = 5_000;
/** How often connections are compared: other clients of a busy pooler may change which backends are the same. */
const COMPARISONS = 3;

export interface DatabaseAddresses {
  readonly url: string;
  /** The same database without its pooler; null without a pooler. */
  readonly directUrl: string | null;
}

interface DatabaseFacts {
  readonly version: number;
  readonly encrypted: boolean | null;
  /** Differs between two databases, and not between the settings of two roles. */
  readonly identity: string;
}

/** Connects once to each address, with a timeout, before anything else is started. */
export async function checkDatabase(
  { url, directUrl }: DatabaseAddresses,
  { requireTls }: { readonly requireTls: boolean },
): Promise<void> {
  const facts = await check("DATABASE_URL", url, async (connect) => {
    const client = await connect();
    const own = await readFacts(client, requireTls);
    await requireTransactions(client);
    if (directUrl === null && (await isTransactionPooler(client, connect))) {
      throw new RequirementError(
        "it is a pooler in transaction mode; also set DATABASE_DIRECT_URL to the URL of the database behind it",
      );
    }
    await requireSession(client, directUrl !== null);
    return own;
  });
  if (directUrl === null) return;
  await check("DATABASE_DIRECT_URL", directUrl, async (connect) => {
    const client = await connect();
    const direct = await readFacts(client, requireTls);
    if (direct.identity !== facts.identity)
      throw new RequirementError("it is another database than that of DATABASE_URL");
    if (await isTransactionPooler(client, connect)) {
      throw new RequirementError(
        "it is a pooler in transaction mode, too; set it to the URL of the database behind the pooler",
      );
    }
    await requireSession(client, false);
  });
}

async function requireSession(client: pg.Client, isPooled: boolean): Promise<void> {
  const problem = await sessionProblem(client, isPooled);
  if (problem !== null) throw new RequirementError(problem);
}

type Connect = () => Promise<pg.Client>;

/** Runs a check with connections to a database, and explains why the database cannot be used if it fails. */
async function check<Result>(name: string, url: string, run: (connect: Connect) => Promise<Result>): Promise<Result> {
  const { hostname, port, pathname } = new URL(url);
  const place = `the database at ${decodeURIComponent(hostname)}:${port || "5432"}${pathname}`;
  const clients: pg.Client[] = [];
  try {
    const otherSchema = schemaProblem(new URL(url));
    if (otherSchema !== null) throw new RequirementError(otherSchema);
    return await run(async () => {
      // Reads the certificate files that the URL names.
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: TIMEOUT_MS,
        query_timeout: TIMEOUT_MS,
      });
      clients.push(client);
      client.on("error", () => undefined);
      await client.connect();
      return client;
    });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const known = REASONS[code ?? ""] ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? message;
    const reason = error instanceof RequirementError ? message : known === UNTRUSTED ? untrustedReason(url) : known;
    throw new Error(`${name}: ${place} cannot be used: ${reason}`, { cause: error });
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

function untrustedReason(url: string): string {
  const file = new URL(url).searchParams.get("sslrootcert");
  if (file === null) return UNTRUSTED;
  return `the authority of its certificate is not trusted: the file that sslrootcert names ${untrustedBecause(file)}`;
}

async function readFacts(client: pg.Client, requireTls: boolean): Promise<DatabaseFacts> {
  const { rows } = await client.query<DatabaseFacts>(
    `SELECT current_setting('server_version_num')::int AS version,
            (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted,
            concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
                      (SELECT oid FROM pg_database WHERE datname = current_database())) AS identity`,
  );
  const [facts] = rows;
  if (facts === undefined || facts.version < OLDEST_VERSION)
    throw new RequirementError("PostgreSQL 15 or newer is needed");
  if (requireTls && facts.encrypted !== true) {
    throw new RequirementError(
      "the connection has no TLS; add sslmode=verify-full to its URL, or set DATABASE_TLS=off",
    );
  }
  return facts;
}

/** A pooler in statement mode has none. */
async function requireTransactions(client: pg.Client): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query("ROLLBACK");
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === undefined) throw error;
    throw new RequirementError(`it allows no transactions (${message}); a pooler must be in transaction mode`);
  }
}

/**
 * Whether connections share connections of the database: of a first connection, which is in no transaction, a second
 * one has the same backend, or the first one has another backend later. A database or a pooler in session mode gives
 * each connection its own.
 */
async function isTransactionPooler(client: pg.Client, connect: Connect): Promise<boolean> {
  const own = await backendOf(client);
  for (let comparison = 0; comparison < COMPARISONS; comparison += 1) {
    if ((await backendOf(await connect())) === own) return true;
    // Twice: a pooler that uses two backends in turn gives the first one to every other statement.
    for (const again of [await backendOf(client), await backendOf(client)]) if (again !== own) return true;
  }
  return false;
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ backend: number }>("SELECT pg_backend_pid() AS backend");
  return rows[0]?.backend;
}
