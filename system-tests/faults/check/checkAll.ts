import { findConnections } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";
import { checkConnections } from "./connections.ts";
import { checkCredentials, checkUses } from "./grants.ts";
import { checkJobs, checkReceipts } from "./jobs.ts";
import { checkAudit, checkOpenTransactions, checkProbes } from "./limitsAndAudit.ts";
import { checkSessions } from "./sessions.ts";
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
  await checkOpenTransactions(context);
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
