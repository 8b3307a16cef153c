/** What HTTP cannot show: who holds what, what is left to do, and what is left after an erasure. Only reads. */
import { createDecipheriv } from "node:crypto";
import type pg from "pg";

/** `subject`: the application's id of the user; `accountId`: the provider's id of the account. */
export async function findConnections(database: pg.Pool) {
  const { rows } = await database.query<Readonly<Record<"id" | "status" | "subject" | "accountId", string>>>(
    `SELECT id, status::text, external_subject_id AS subject, provider_account_id AS "accountId" FROM connection`,
  );
  return rows;
}

/** The receipts of a connection's disconnect. */
export async function findReceipts(database: pg.Pool, connectionId: string) {
  const { rows } = await database.query<{ id: string; kind: string; counts: Record<string, number> | null }>(
    `SELECT id, kind::text, deleted_counts AS counts FROM job WHERE connection_id = $1 AND kind IN ('REVOKE', 'ERASE')`,
    [connectionId],
  );
  return rows;
}

/** How often the audit log names a tenant key, and whether the application has it. */
export async function findTenantKey(database: pg.Pool, applicationId: string, tenantKey: string) {
  const { rows } = await database.query<{ entries: number; isStored: boolean }>(
    `SELECT (SELECT count(*) FROM audit_entry WHERE summary LIKE '%' || $1 || '%')::int AS entries,
            (SELECT $1 = ANY(tenant_keys) FROM application WHERE id = $2) AS "isStored"`,
    [tenantKey, applicationId],
  );
  return rows[0] ?? { entries: 0, isStored: false };
}

/** Sessions that have held a transaction open for longer than any work of the service may take. */
export async function findOpenTransactions(database: pg.Pool): Promise<readonly string[]> {
  const { rows } = await database.query<{ about: string }>(
    `SELECT application_name || ' ' || state || ' since ' || state_change || ': ' || left(query, 100) AS about
       FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND state LIKE 'idle in transaction%' AND state_change < clock_timestamp() - interval '35 seconds'`,
  );
  return rows.map(({ about }) => about);
}

interface Unsettled {
  /** Everything that is still to be done; empty once all is settled. */
  readonly open: readonly string[];
  /** Tasks that run, or could run now. */
  readonly runnable: number;
  /** Until the next task is due, in milliseconds of the service's clock; null: none waits. */
  readonly dueInMs: number | null;
  /** Until the next background read or the deadline of an unfinished attempt; below 0: it is due. null without one. */
  readonly plannedInMs: number | null;
}

const TASKS = "pgboss.job WHERE name NOT LIKE '\\_\\_%' AND state IN ('created', 'retry', 'active')";

/** Queued and running jobs, tasks, grants without an owner, settlements, and connections between two states. */
export async function findUnsettled(database: pg.Pool, now: Date): Promise<Unsettled> {
  const { rows } = await database.query<Unsettled>(
    `WITH unsettled AS (
       SELECT 'job ' || id || ' ' || kind || ' ' || status || ' attempt ' || attempt || ' of connection ' || connection_id
              || ' next ' || coalesce(next_retry_at::text, '-') || ', task '
              || coalesce((SELECT string_agg(state || ' ' || start_after, ',') FROM pgboss.job WHERE singleton_key = job.id::text), 'none') AS what
         FROM job WHERE status IN ('QUEUED', 'RUNNING')
       UNION ALL SELECT 'connection ' || id || ' ' || status FROM connection WHERE status IN ('SUSPENDED', 'DISCONNECTED', 'DELETING')
       UNION ALL SELECT 'settlement of ' || revoke_job_id FROM revoke_settlement
       UNION ALL SELECT 'grant ' || g.id || ' of attempt ' || coalesce(attempt_id::text, '-')
         FROM provider_grant g LEFT JOIN connect_attempt a ON a.id = g.attempt_id
        WHERE g.status = 'PENDING' AND (a.id IS NULL OR a.expires_at <= $1 OR a.status NOT IN ('CREATED', 'AUTHORIZING', 'EXCHANGING'))
       UNION ALL SELECT 'task ' || name || ' ' || state || ' ' || data::text FROM ${TASKS})
     SELECT ARRAY(SELECT what FROM unsettled) AS open,
            (SELECT count(*) FROM ${TASKS} AND (state = 'active' OR start_after <= now()))::int AS runnable,
            (SELECT extract(epoch FROM min(start_after) - now()) * 1000 FROM ${TASKS} AND state <> 'active')::float8 AS "dueInMs",
            (SELECT extract(epoch FROM min(at) - $1::timestamptz) * 1000
               FROM (SELECT least(next_scan_at, next_profile_at) AS at FROM connection
                     UNION ALL SELECT expires_at FROM connect_attempt WHERE status IN ('CREATED', 'AUTHORIZING', 'EXCHANGING')) AS planned
            )::float8 AS "plannedInMs"`,
    [now],
  );
  return rows[0] ?? { open: [], runnable: 0, dueInMs: null, plannedInMs: null };
}

type SealedGrant = Readonly<Record<"connectionId" | "status" | "accountId", string>> &
  Readonly<Record<"grantId" | "access" | "refresh", string | null>> &
  Readonly<Record<"isRefreshToken" | "isRenewing", boolean>>;

/**
 * Each connection with the stored token that renews its grant, or its only one, which the deployment's encryption keys open; null: it
 * has no grant. `isRenewing`: a renewal was announced, and its end is unknown.
 */
export async function findGrants(database: pg.Pool, encryptionKeys: string) {
  const { rows } = await database.query<SealedGrant>(
    `SELECT c.id AS "connectionId", c.status::text, c.provider_account_id AS "accountId", g.id AS "grantId",
            g.access_token_sealed AS access, g.refresh_token_sealed AS refresh,
            g.refresh_token_sealed IS NOT NULL AS "isRefreshToken", g.renewal_started_at IS NOT NULL AS "isRenewing"
       FROM connection c LEFT JOIN provider_grant g ON g.connection_id = c.id`,
  );
  const keys = new Map(encryptionKeys.split(",").map((entry) => entry.split(":") as [id: string, key: string]));
  return rows.map(({ grantId, access, refresh, ...grant }) => {
    const [sealed, column] = refresh === null ? [access, "access_token"] : [refresh, "refresh_token"];
    const token = sealed === null ? null : openSealed(sealed, `provider_grant:${grantId}:${column}`, keys);
    return { ...grant, token };
  });
}

const TAG_BYTES = 16;

/** `v1.KEY.NONCE.CIPHERTEXT`, encrypted with AES-256-GCM for one place in the database. */
function openSealed(sealed: string, place: string, keys: ReadonlyMap<string, string>): string {
  const [format = "", keyId = "", nonce = "", text = ""] = sealed.split(".");
  const body = Buffer.from(text, "base64url");
  const key = Buffer.from(keys.get(keyId) ?? "", "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(`${format}.${keyId}.${place}`));
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  return decipher.update(body.subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}
