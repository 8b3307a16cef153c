import { findOpenTransactions, findTenantKey } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";

/** Violations found by the database probes, and unexpected process exits. */
export async function checkProbes({ database, known, violate }: RunContext): Promise<void> {
  const { rows } = await database.query<{ rule: string; detail: string }>(
    "DELETE FROM probe.violation RETURNING rule, detail",
  );
  for (const { rule, detail } of rows) violate(rule, detail);
  for (const failure of known.processFailures.splice(0)) violate("processes live", failure);
}

/**
 * An acknowledged admin write exists with exactly one audit entry; for a write without a response both or neither
 * exist.
 */
export async function checkAudit({ client, database, known, violate }: RunContext): Promise<void> {
  for (const { application, tenantKey, answer } of known.adminWrites) {
    const { entries, isStored } = await findTenantKey(database, client.applications[application].id, tenantKey);
    if (entries !== Number(isStored) || (answer === "acknowledged" && !isStored)) {
      violate(
        "an admin write has one audit entry",
        `${tenantKey} (${answer}): ${entries} entries, stored: ${isStored}`,
      );
    }
  }
}

/** No session holds a lock or an open transaction while the service is idle. */
export async function checkOpenTransactions({ database, violate }: RunContext): Promise<void> {
  for (const about of await findOpenTransactions(database)) violate("no transaction stays open", about);
}
