import pg from "pg";

/** Why a database cannot be used, with the remedy; its URL is shown without the password. */
class DatabaseUnusableError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "DatabaseUnusableError";
  }
}

const UNTRUSTED =
  "the authority of its certificate is not trusted; name the authority's certificate with sslrootcert in DATABASE_URL";
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there; start PostgreSQL, or correct the host and port",
  ENOTFOUND: "its host is unknown; correct the name",
  EAI_AGAIN: "its host name could not be resolved; correct the name or fix name resolution",
  ETIMEDOUT: "it does not respond; check the address and the network",
  EHOSTUNREACH: "its host cannot be reached; check the address and the network",
  "28P01": "it refuses the password; correct the user or the password",
  "28000": "it refuses the user; correct the user, or allow it in pg_hba.conf",
  "3D000": "it has no such database; create it, or correct the name",
  "53300": "its connection limit is reached; raise max_connections or lower DATABASE_POOL_SIZE",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another host; use the host name of the certificate, or renew the certificate",
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_HAS_EXPIRED: "its certificate has expired; renew it",
};
/** Faults that the driver reports without a code. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/i, "it does not offer TLS; set ssl = on in postgresql.conf, with a certificate"],
  [
    /^(?:ENOENT|EACCES)\b.*, open /,
    "a file that DATABASE_URL names (sslrootcert, sslcert or sslkey) cannot be read; correct its path or permissions",
  ],
  [/timeout/i, "it does not respond; check the address and the network"],
  [
    /terminated unexpectedly|unknown message code/i,
    "the server there is not PostgreSQL, or is shutting down; correct the host and port",
  ],
];
const OLDEST_VERSION = 150_000;

const TIMEOUT_MS = 5_000;

/** Connects once, with a timeout, before anything else is started. */
export async function checkDatabase(url: string, { requireTls }: { readonly requireTls: boolean }): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const place = `the database at ${hostname}:${port || "5432"}${pathname}`;
  let client: pg.Client | undefined;
  try {
    // Reads the certificate files that the URL names.
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query<{ version: number; encrypted: boolean | null }>(
      `SELECT current_setting('server_version_num')::int AS version,
              (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted`,
    );
    if ((rows[0]?.version ?? 0) < OLDEST_VERSION) throw new Error("PostgreSQL 15 or newer is needed");
    if (requireTls && rows[0]?.encrypted !== true) {
      throw new Error("the connection has no TLS; add sslmode=verify-full to DATABASE_URL, or set DATABASE_TLS=off");
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const reason = REASONS[code ?? ""] ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? message;
    throw new DatabaseUnusableError(`DATABASE_URL: ${place} cannot be used: ${reason}`, error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}
