import type { Connection, DisconnectResult } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Provider } from "../../target/target.ts";
import type { Connected } from "./journeys.ts";
import { jobEnd } from "./journeys.ts";

/**
 * Accounts that cases of this suite give back. At PROVIDER_A that ends every grant of the person behind the account, so no
 * two such cases run at a time and no other case uses them.
 */
export const REVOCABLE: Readonly<Record<Provider, string>> = {
  PROVIDER_A: "night-trains",
  PROVIDER_B: "paper-cranes",
  PROVIDER_C: "tidepool-studio",
};

/** How soon an erasure begins is the service's affair: so many looks may a case take to see what comes before it. */
export const MOST_LOOKS = 8;

/** The name under which a case claims an account for itself. */
export function accountHold(provider: Provider, account: string): string {
  return `account:${provider.slice(-1)}:${account}`;
}

/** What a case holds that gives back the provider's revocable account, or makes that fail. */
export function revocableHolds(provider: Provider): string[] {
  return provider === "PROVIDER_C" ? [] : [accountHold(provider, REVOCABLE[provider])];
}

export function disconnect(t: CaseContext, connected: Connected): Promise<DisconnectResult> {
  return t.get("disconnectConnection", { scope: connected.scope, connectionId: connected.connectionId });
}

/** While `during` runs the provider takes no revocation of the account, so that nothing settles and nothing is wholly erased. */
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

/** Waits until nothing of a connection is left but its receipts. */
export async function erased(t: CaseContext, connected: Connected, disconnected: DisconnectResult): Promise<void> {
  const { erase } = await receipts(t, connected, disconnected);
  t.equal([erase.status, erase.errorCode], ["SUCCEEDED", null], "the erase receipt");
  await t.refuses("connection", { scope: connected.scope, id: connected.connectionId }, "NOT_FOUND");
}

export function connectionOutcome(t: CaseContext, { scope, connectionId }: Connected) {
  return t.call("connection", { scope, id: connectionId });
}

/** Waits until the connection, however it is read, has another status than SUSPENDED. */
export async function settled(t: CaseContext, connected: Connected): Promise<Connection> {
  const outcome = await t.eventually(
    "the re-check comes to an end",
    () => connectionOutcome(t, connected),
    (found) => found.ok && found.value.status !== "SUSPENDED",
    60_000,
  );
  return t.value(outcome);
}
