import { findConnections, findOpenTransactions, findTenantKey } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";
import { checkConnections, checkSessions } from "./connections.ts";
import { checkCredentials, checkUses } from "./grants.ts";
import { checkJobs, checkReceipts } from "./jobs.ts";
import { checkSubjects, checkTraces } from "./traces.ts";

/** Once everything has settled and the deadlines of all attempts have passed. */
export async function checkAll(context: RunContext): Promise<void> {
  await checkSessions(context);
  await checkConnections(context);
  await checkJobs(context);
  await checkReceipts(context);
  await checkUses(context);
  await checkTraces(context);
  await checkAudit(context);
  await checkProbes(context);
  // No session holds a lock or an open transaction while the service is idle.
  for (const about of await findOpenTransactions(context.database)) context.violate("no transaction stays open", about);
}

/** What was checked is not checked again: its records reach the end of their time. */
export async function closeChecked({ known, database }: RunContext): Promise<void> {
  const standing = new Set((await findConnections(database)).map(({ id }) => id));
  for (const session of known.sessions.values()) session.isChecked = true;
  for (const job of known.jobs.values()) job.isChecked = true;
  for (const connection of known.connections.values()) connection.isErased = !standing.has(connection.id);
}

/** A day later, when every connection was read again and the results of attempts have expired. */
export async function checkNextDay(context: RunContext): Promise<void> {
  await checkCredentials(context);
  await checkSubjects(context);
  await checkTraces(context);
  await checkProbes(context);
}

/** Violations found by the database probes, and unexpected process exits. */
async function checkProbes({ database, known, violate }: RunContext): Promise<void> {
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
async function checkAudit({ client, database, known, violate }: RunContext): Promise<void> {
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
