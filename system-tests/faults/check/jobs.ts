import type { SyncJob } from "../../../packages/conformance/src/_generated/consumerWire.ts";
import { PROVIDER_TRAITS } from "../../../packages/domain/src/index.ts";
import { findReceipts } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";
import type { Connection } from "../known.ts";

/** Every acknowledged read job has ended, or went with its connection. */
export async function checkJobs(context: RunContext): Promise<void> {
  const { known, violate } = context;
  for (const { id, connectionId, isChecked } of known.jobs.values()) {
    if (isChecked) continue;
    const connection = known.connections.get(connectionId);
    if (connection === undefined) continue;
    const job = await readJob(context, connection, id);
    // A disconnect without an answer may have been applied, and read jobs go with their connection.
    if (job === "NOT_FOUND" && connection.isDisconnectSent) continue;
    if (typeof job === "string") violate("an acknowledged job can be read", `${id} of ${connectionId} answers ${job}`);
    else if (!ENDED.includes(job.status)) violate("a job ends", `${id} of ${connectionId} is ${job.status}`);
  }
}

/**
 * Every acknowledged disconnect has two receipts, and both have ended as the provider allows. A disconnect without a
 * response has both or neither.
 */
export async function checkReceipts(context: RunContext): Promise<void> {
  const { known, database, violate } = context;
  for (const connection of known.connections.values()) {
    if (connection.isErased) continue;
    const rows = await findReceipts(database, connection.id);
    const kinds = rows.map(({ kind }) => kind).sort();
    const { receipts } = connection;
    const isComplete = kinds.join() === "ERASE,REVOKE";
    if (receipts === null ? kinds.length > 0 && !isComplete : !isComplete) {
      violate("a disconnect has one revoke and one erase receipt", `${connection.id} has ${kinds.join() || "none"}`);
      continue;
    }
    if (kinds.length > 0 && !connection.isDisconnectSent) {
      violate("a connection is only disconnected on request", connection.id);
    }
    if (receipts === null) continue;
    const acknowledged = new Set([receipts.revokeJobId, receipts.eraseJobId]);
    if (rows.some(({ id }) => !acknowledged.has(id))) {
      violate("the receipts are the acknowledged ones", `${connection.id} has ${rows.map(({ id }) => id).join()}`);
    }
    const erased = rows.find(({ kind }) => kind === "ERASE")?.counts?.["connection"];
    if (erased !== 1) violate("an erasure counts its connection once", `${connection.id} counts ${erased}`);
    await checkEndOfReceipts(context, connection, receipts);
  }
}

async function checkEndOfReceipts(
  context: RunContext,
  connection: Connection,
  { revokeJobId, eraseJobId }: NonNullable<Connection["receipts"]>,
): Promise<void> {
  const { violate } = context;
  const erase = await readJob(context, connection, eraseJobId);
  if (typeof erase === "string" || erase.status !== "SUCCEEDED") {
    violate("an erasure succeeds", `${eraseJobId} of ${connection.id}: ${JSON.stringify(erase)}`);
  }
  const revoke = await readJob(context, connection, revokeJobId);
  connection.mustRemoveApp = typeof revoke !== "string" && revoke.creatorAction !== null;
  if (typeof revoke === "string" || !(await isTruthful(context, connection, revoke))) {
    violate(
      "a revoke ends as it can",
      `${revokeJobId} of ${connection.id} at ${connection.provider}: ${JSON.stringify(revoke)}`,
    );
  }
}

/** How a revoke may end: each other end would be untrue of the simulated provider. */
async function isTruthful(
  { known, database }: RunContext,
  { id, provider, account }: Connection,
  { status, errorCode, creatorAction }: SyncJob,
): Promise<boolean> {
  const { canRevoke } = PROVIDER_TRAITS[provider];
  if (status === "SUCCEEDED") {
    return creatorAction === null && (canRevoke || known.accounts.get(account)?.endedByPerson === true);
  }
  if (status !== "FAILED" || creatorAction !== "REMOVE_APP_AT_PROVIDER") return false;
  if (!canRevoke) return errorCode === "REVOKE_UNSUPPORTED";
  // A renewal without an answer left no token that is certainly valid, so the provider cannot be checked.
  const { rowCount } = await database.query("SELECT FROM probe.renewal WHERE owner_id = $1 AND is_open", [id]);
  return errorCode === "REVOKE_REJECTED" && rowCount === 1;
}

const ENDED = ["SUCCEEDED", "FAILED", "CANCELED"];

async function readJob({ client }: RunContext, connection: Connection, id: string): Promise<SyncJob | string> {
  const answer = await client.askAs(connection.scope, "syncJob", { connectionId: connection.id, id });
  return answer.kind === "acknowledged" ? answer.data : answer.kind === "refused" ? answer.code : "nothing";
}
