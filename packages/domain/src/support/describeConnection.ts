import { recheckConnection } from "../connections/connectionAccess.ts";
import { connectionAsListed } from "../connections/connectionView.ts";
import { syncStatusAsRead } from "../connections/syncStatus.ts";
import { explainConnection } from "./explainConnection.ts";
import type { SupportFacts } from "./supportFacts.ts";
import { connectionTimeline, type SupportAttempt } from "./timeline.ts";

export function describeConnection(facts: SupportFacts, attempts: readonly SupportAttempt[], now: Date) {
  const { connection, registration } = facts;
  const described = { explanation: explainConnection(facts, now), timeline: connectionTimeline(facts, attempts) };
  if (connection === null) return { ...described, capabilities: [], syncStatus: null };
  const row = { ...connection, profile: null, offeredCapabilities: registration?.capabilities ?? [] };
  const recheckCode = recheckConnection({ ...facts, connection }, now);
  return {
    ...described,
    // As the application sees them.
    capabilities: connectionAsListed(row, recheckCode, now).capabilities,
    syncStatus: syncStatusAsRead(connection.syncStatus, connection.lastSuccessfulSyncAt, now),
  };
}
