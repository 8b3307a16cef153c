import type { Connection, DisconnectResult, SyncJob } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Provider } from "../../target/target.ts";
import { DOWN, whileFault } from "./accounts.ts";
import type { Connected } from "./connections.ts";
import { jobEnd } from "./jobs.ts";

/** The user's action where a consent may remain at the provider. */
export const REMOVE = "REMOVE_APP_AT_PROVIDER";

/** The service decides how soon an erasure starts: a case may poll this often to observe the state before it. */
export const MAX_POLLS = 8;

export function disconnect(t: CaseContext, connected: Connected): Promise<DisconnectResult> {
  return t.get("disconnectConnection", { scope: connected.scope, connectionId: connected.connectionId });
}

/**
 * While `during` runs the provider accepts no revocation of the account, so that no revoke settles and no erasure
 * completes.
 */
export function whileRevokeFails<Result>(
  t: CaseContext,
  provider: Provider,
  account: string,
  during: () => Promise<Result>,
): Promise<Result> {
  return whileFault(t, provider, "revoke", DOWN, { account }, during);
}

/** Disconnects; `during` runs while the revoke cannot settle. Then only the receipts remain. */
export async function whileRevoking(
  t: CaseContext,
  connected: Connected,
  provider: Provider,
  account: string,
  during: (disconnected: DisconnectResult) => Promise<void>,
): Promise<DisconnectResult> {
  const disconnected = await whileRevokeFails(t, provider, account, async () => {
    const result = await disconnect(t, connected);
    await during(result);
    return result;
  });
  await erased(t, connected, disconnected);
  return disconnected;
}

export async function receipts(t: CaseContext, connected: Connected, disconnected: DisconnectResult) {
  const revoke = await jobEnd(t, connected, disconnected.revokeJobId, 60_000);
  const erase = await jobEnd(t, connected, disconnected.eraseJobId, 60_000);
  return { revoke, erase };
}

export async function disconnectAndErase(t: CaseContext, connected: Connected): Promise<DisconnectResult> {
  const disconnected = await disconnect(t, connected);
  await erased(t, connected, disconnected);
  return disconnected;
}

/** The revoke receipt of a successful revoke, or the one with this error; then waits for the erasure. */
export async function revokedAndErased(
  t: CaseContext,
  connected: Connected,
  disconnected: DisconnectResult,
  errorCode: string | null = null,
): Promise<SyncJob> {
  const { revoke } = await receipts(t, connected, disconnected);
  const ended =
    errorCode === null ? { status: "SUCCEEDED", creatorAction: null } : { status: "FAILED", creatorAction: REMOVE };
  t.shows(revoke, { ...ended, errorCode, nextRetryAt: null }, "the revoke receipt");
  await erased(t, connected, disconnected);
  return revoke;
}

export async function erased(t: CaseContext, connected: Connected, disconnected: DisconnectResult): Promise<void> {
  const { erase } = await receipts(t, connected, disconnected);
  t.shows(erase, { status: "SUCCEEDED", errorCode: null, creatorAction: null }, "the erase receipt");
  await t.refuses("connection", { scope: connected.scope, id: connected.connectionId }, "NOT_FOUND");
}

export function connectionOutcome(t: CaseContext, { scope, connectionId }: Connected) {
  return t.call("connection", { scope, id: connectionId });
}

/** Waits until the connection needs a reconnect. A read that itself detects the lost grant is refused. */
export async function untilReconnectRequired(t: CaseContext, connected: Connected): Promise<void> {
  await t.eventually(
    "the connection needs a reconnect",
    () => connectionOutcome(t, connected),
    (outcome) => outcome.ok && outcome.value.status === "RECONNECT_REQUIRED",
  );
}

/** Waits until the connection, by either operation, has another status than SUSPENDED. */
export async function settled(t: CaseContext, connected: Connected): Promise<Connection> {
  const outcome = await t.eventually(
    "the re-check ends",
    () => connectionOutcome(t, connected),
    (found) => found.ok && found.value.status !== "SUSPENDED",
    60_000,
  );
  return t.value(outcome);
}
