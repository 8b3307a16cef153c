// #region handle-event
import type { Subject } from "@social-connect/sdk";
import type { ReceivedEvent } from "@social-connect/sdk/events";

/** The job. */
export async function handle(
  event: ReceivedEvent,
  subjectOf: (userId: string) => Subject,
  askToReconnect: (userId: string) => Promise<void>,
): Promise<void> {
  switch (event.type) {
    case "connection.reconnect_required": {
      const { externalSubjectId, connectionId } = event.data;
      const accounts = await subjectOf(externalSubjectId).connections().toArray({ limit: 100 });
      const account = accounts.find(({ id }) => id === connectionId);
      // The user may have reconnected since.
      if (account?.status === "RECONNECT_REQUIRED") await askToReconnect(externalSubjectId);
      break;
    }
    default: // the other types, and those that the service adds later
  }
}
// #endregion handle-event
