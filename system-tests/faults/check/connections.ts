import { findConnections } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";

/**
 * A connection of an attempt exists until a disconnect was sent, and is removed after an acknowledged one. After a
 * disconnect without a response it may be either, but not in between. `checkSessions` runs first: it finds connections
 * that no backend learned about in time.
 */
export async function checkConnections(context: RunContext): Promise<void> {
  const { client, known, database, violate } = context;
  const rows = await findConnections(database);
  const stored = new Map(rows.map(({ id, status }) => [id, status]));
  for (const { id, subject, accountId } of rows) {
    if (known.connections.has(id)) continue;
    // Where a day has passed before anyone could read the result, the attempt's person and account are what is known.
    const session = [...known.sessions.values()].find(
      ({ scope, account, callbacks, day }) =>
        scope.externalSubjectId === subject &&
        known.accounts.get(account)?.accountId === accountId &&
        callbacks > 0 &&
        day < context.day,
    );
    if (session === undefined) violate("a connection belongs to an acknowledged attempt", `${id} of ${subject}`);
    else known.connectionOf(session, id);
  }
  for (const connection of known.connections.values()) {
    const { id, scope, receipts, isDisconnectSent, isErased } = connection;
    if (isErased) continue;
    const answer = await client.askAs(scope, "connection", { id });
    const isGone = answer.kind === "refused" && answer.code === "NOT_FOUND";
    if (answer.kind === "unknown") violate("a connection can be read", `${id} got no answer`);
    if (receipts !== null && !isGone) {
      violate("an acknowledged disconnect ends the connection", `${id} answers ${JSON.stringify(answer)}`);
    }
    if (!isDisconnectSent && isGone) {
      violate("a connection exists until it is disconnected", `${id} of ${scope.externalSubjectId} is NOT_FOUND`);
    }
    if (isGone === stored.has(id)) violate("the API shows what is stored", `${id} is stored as ${stored.get(id)}`);
  }
  for (const [id, status] of stored) {
    if (!["CONNECTED", "RECONNECT_REQUIRED"].includes(status)) violate("a connection settles", `${id} is ${status}`);
  }
}
