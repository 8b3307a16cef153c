import pg from "pg";

/** Why a database cannot be used, told so that a person can mend it; its address is named without the password. */
class DatabaseUnusableError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "DatabaseUnusableError";
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there; start PostgreSQL, or correct the host and port",
  ENOTFOUND: "its host is unknown; correct the name",
  EAI_AGAIN: "its host name could not be looked up; correct the name, or mend the name service",
  ETIMEDOUT: "it does not answer; check the address and the network",
  EHOSTUNREACH: "its host cannot be reached; check the address and the network",
  "28P01": "it refuses the password; correct the user or the password",
  "28000": "it refuses the user; correct the user, or allow it in pg_hba.conf",
  "3D000": "it has no such database; create it, or correct the name",
  "53300": "it takes no more connections; raise max_connections, or lower DATABASE_POOL_SIZE",
};
/** Faults that the driver tells without a code. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, "it does not answer; check the address and the network"],
  [
    /terminated unexpectedly|unknown message code/i,
    "what answers there is no PostgreSQL, or is shutting down; correct the host and port",
  ],
];
const OLDEST_VERSION = 150_000;

/** Connects once, with a bound, before anything else is started. */
export async function checkDatabase(url: string, timeoutMs = 5_000): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const place = `the database at ${hostname}:${port || "5432"}${pathname}`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    if ((rows[0]?.version ?? 0) < OLDEST_VERSION) throw new Error("PostgreSQL 15 or newer is needed");
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const reason = REASONS[code ?? ""] ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? message;
    throw new DatabaseUnusableError(`DATABASE_URL: ${place} cannot be used: ${reason}`, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
