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
