import type { Connection } from "../../_generated/prisma/client.ts";
import { disconnect } from "../disconnect/disconnectConnection.ts";
import type { Service } from "../service.ts";
import type { Disconnected } from "./erasureReceipts.ts";

/** A connection that could not be disconnected. */
export interface FailedDisconnect {
  readonly connectionId: string;
  readonly message: string;
}

/** Disconnects connections for an operator and adds them to `disconnected`, by id; skips the connections that it has already. */
export async function disconnectAll(
  service: Service,
  connections: AsyncIterable<Connection>,
  disconnected: Map<string, Disconnected>,
): Promise<FailedDisconnect[]> {
  const failed: FailedDisconnect[] = [];
  for await (const connection of connections) {
    const { id: connectionId, applicationId, provider } = connection;
    if (disconnected.has(connectionId)) continue;
    try {
      const { revokeJobId, eraseJobId } = await disconnect(service, connection, "BY_OPERATOR");
      disconnected.set(connectionId, { connectionId, applicationId, provider, revokeJobId, eraseJobId });
    } catch (error) {
      // A connect of the same subject holds a lock, or another caller erased the connection.
      failed.push({ connectionId, message: (error as Error).message });
    }
  }
  return failed;
}
