import { findConnections } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";
import { UNFINISHED } from "../known.ts";

/**
 * Every acknowledged session has a result, which is finished after its deadline, is the same for the browser and
 * earlier readers, and contains a connection exactly when it is COMPLETED.
 */
export async function checkSessions({ client, known, day, violate }: RunContext): Promise<void> {
  for (const session of known.sessions.values()) {
    if (session.isChecked) continue;
    const answer = await client.askAs(session.scope, "connectSessionResult", { id: session.id });
    if (answer.kind !== "acknowledged") {
      if (answer.kind === "refused" && answer.code === "NOT_FOUND" && session.day < day) continue;
      violate("an acknowledged session has a result", `${session.id} ${JSON.stringify(answer)}`);
      continue;
    }
    const { status, connectionId, creatorAction } = answer.data;
    session.mustRemoveApp = creatorAction !== null;
    const told = `${session.id} is ${status}`;
    if (UNFINISHED.includes(status)) violate("a session is finished after its deadline", told);
    if (session.browserSaw !== null && session.browserSaw !== status) {
      violate("the browser received the result", `${told}, the browser saw ${session.browserSaw}`);
    }
    const { finished } = session;
    if (finished !== null && (finished.status !== status || finished.connectionId !== connectionId)) {
      violate("a finished session does not change", `${told}, before it was ${finished.status}`);
    }
    session.finished ??= { status, connectionId };
    if ((status === "COMPLETED") !== (connectionId !== null)) {
      violate("a session names its connection when it is COMPLETED", `${told}, connection ${connectionId}`);
    }
    if (status === "COMPLETED" && session.callbacks === 0) violate("a session needs a callback to be COMPLETED", told);
    if (connectionId !== null) known.connectionOf(session, connectionId);
  }
}

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
