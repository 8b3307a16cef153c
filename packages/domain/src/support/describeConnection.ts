import type { SyncStatus } from "@social-connect/contract";
import { recheckConnection } from "../connections/connectionAccess.ts";
import { type CapabilityState, connectionAsListed } from "../connections/connectionView.ts";
import { syncStatusAsRead } from "../connections/syncStatus.ts";
import { type Explanation, explainConnection } from "./explainConnection.ts";
import type { SupportFacts } from "./supportFacts.ts";
import { connectionTimeline, type SupportAttempt, type SupportEvent } from "./timeline.ts";

export interface SupportDescription {
  readonly explanation: Explanation;
  readonly timeline: readonly SupportEvent[];
  /** As the application sees them. */
  readonly capabilities: readonly CapabilityState[];
  /** null once the connection is erased. */
  readonly syncStatus: SyncStatus | null;
}

export function describeConnection(
  facts: SupportFacts,
  attempts: readonly SupportAttempt[],
  now: Date,
): SupportDescription {
  const { connection, registration } = facts;
  const described = { explanation: explainConnection(facts, now), timeline: connectionTimeline(facts, attempts) };
  if (connection === null) return { ...described, capabilities: [], syncStatus: null };
  const row = { ...connection, profile: null, offeredCapabilities: registration?.capabilities ?? [] };
  const recheckCode = recheckConnection({ ...facts, connection }, now);
  return {
    ...described,
    capabilities: connectionAsListed(row, recheckCode, now).capabilities,
    syncStatus: syncStatusAsRead(connection.syncStatus, connection.lastSuccessfulSyncAt, now),
  };
}
