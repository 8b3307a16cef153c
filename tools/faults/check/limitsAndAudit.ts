import type { RunContext } from "../context.ts";

/** Violations found by the database probes, and unexpected process exits. */
export async function checkProbes({ database, facts, violate }: RunContext): Promise<void> {
  const { rows } = await database.pool.query<{ rule: string; detail: string }>(
    "DELETE FROM probe.violation RETURNING rule, detail",
  );
  for (const { rule, detail } of rows) violate(rule, detail);
  for (const failure of facts.processFailures.splice(0)) violate("processes live", failure);
}

/**
 * An acknowledged admin write exists with exactly one audit entry; for a write without a response both or neither
 * exist.
 */
export async function checkAudit({ database, facts, violate }: RunContext): Promise<void> {
  for (const { application, tenantKey, answer } of facts.adminWrites) {
    const { rows } = await database.pool.query<{ entries: number; isThere: boolean }>(
      `SELECT (SELECT count(*) FROM audit_entry WHERE summary LIKE '%' || $1 || '%')::int AS entries,
              (SELECT $1 = ANY(tenant_keys) FROM application WHERE slug = $2) AS "isThere"`,
      [tenantKey, application === "demo" ? "demo-app" : "other-app"],
    );
    const { entries = 0, isThere = false } = rows[0] ?? {};
    if (entries !== Number(isThere) || (answer === "acknowledged" && !isThere)) {
      violate("an admin write has one audit entry", `${tenantKey} (${answer}): ${entries} entries, stored: ${isThere}`);
    }
  }
}

/** No session holds a lock or an open transaction while the service is idle. */
export async function checkOpenTransactions({ database, violate }: RunContext): Promise<void> {
  const { rows } = await database.pool.query<{ about: string }>(
    `SELECT application_name || ' ' || state || ' since ' || state_change || ': ' || left(query, 100) AS about
       FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND state LIKE 'idle in transaction%' AND state_change < clock_timestamp() - interval '35 seconds'`,
  );
  for (const { about } of rows) violate("no transaction stays open", about);
}
