import type { Connection, DisconnectResult } from "../../_generated/consumerWire.ts";
import { factOf, PROVIDER_FACTS } from "../../description/providers.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Provider } from "../../target/target.ts";
import type { Connected } from "./journeys.ts";
import { jobEnd } from "./journeys.ts";

/** Accounts that cases of this suite disconnect. */
export const REVOCABLE = factOf(({ accounts }) => accounts.revoked);

/** The service decides how soon an erasure starts: a case may poll this often to observe the state before it. */
export const MAX_POLLS = 8;

/** Accounts whose grants a case ends without the service's knowledge. */
export const ENDED_ACCOUNT = factOf(({ accounts }) => accounts.changed);

/** The lock by which a case reserves an account. */
export function accountHold(provider: Provider, account: string): string {
  return `account:${provider.slice(-1)}:${account}`;
}

/** The lock of a case that revokes the provider's revocable account, or makes that fail. */
export function revocableHolds(provider: Provider): string[] {
  return PROVIDER_FACTS[provider].canRevoke ? [accountHold(provider, REVOCABLE[provider])] : [];
}

export function disconnect(t: CaseContext, connected: Connected): Promise<DisconnectResult> {
  return t.get("disconnectConnection", { scope: connected.scope, connectionId: connected.connectionId });
}

/**
 * While `during` runs the provider accepts no revocation of the account, so that no revoke settles and no erasure
 * completes.
 */
export async function whileRevokeFails<Result>(
  t: CaseContext,
  provider: Provider,
  account: string,
  during: () => Promise<Result>,
): Promise<Result> {
  const undo = await t.provider.fault(provider, "revoke", { kind: "status", status: 503 }, { account });
  try {
    return await during();
  } finally {
    await undo();
  }
}

/** Both receipts once their jobs have ended. */
export async function receipts(t: CaseContext, connected: Connected, disconnected: DisconnectResult) {
  const revoke = await jobEnd(t, connected, disconnected.revokeJobId, 60_000);
  const erase = await jobEnd(t, connected, disconnected.eraseJobId, 60_000);
  return { revoke, erase };
}

/** Waits until only the receipts of a connection remain. */
export async function erased(t: CaseContext, connected: Connected, disconnected: DisconnectResult): Promise<void> {
  const { erase } = await receipts(t, connected, disconnected);
  t.equal([erase.status, erase.errorCode], ["SUCCEEDED", null], "the erase receipt");
  await t.refuses("connection", { scope: connected.scope, id: connected.connectionId }, "NOT_FOUND");
}

export function connectionOutcome(t: CaseContext, { scope, connectionId }: Connected) {
  return t.call("connection", { scope, id: connectionId });
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
