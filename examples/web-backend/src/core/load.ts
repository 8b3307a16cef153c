import { NotFoundError, SocialConnectError } from "@social-connect/sdk";
import type { KnownAccount } from "./accounts.ts";
import { type Dependencies, type SignedIn, within } from "./context.ts";
import { explainOutage } from "./explain.ts";

export interface LoadedAccounts {
  readonly accounts: readonly KnownAccount[];
  /** Why the accounts are those of an earlier response. */
  readonly outage: SocialConnectError | undefined;
}

/** The user's accounts. During an outage these are the last known ones, never none. */
export async function loadAccounts(dependencies: Dependencies, { user, subject }: SignedIn): Promise<LoadedAccounts> {
  const { store, clock } = dependencies;
  try {
    const connections = await subject.connections(within(dependencies)).toArray({ limit: 1_000 });
    return { accounts: store.accounts.remember(user.id, connections, clock.now()), outage: undefined };
  } catch (error) {
    if (!SocialConnectError.is(error) || explainOutage(error) === undefined) throw error;
    return { accounts: store.accounts.of(user.id, clock.now()), outage: error };
  }
}

export interface LoadedAccount extends Pick<LoadedAccounts, "outage"> {
  readonly account: KnownAccount;
}

/**
 * One account of the list, where one whose grant has ended is a row: read alone, it is an error. Rejects for an account that
 * is not this user's.
 */
export async function loadAccount(dependencies: Dependencies, signedIn: SignedIn, id: string): Promise<LoadedAccount> {
  const { accounts, outage } = await loadAccounts(dependencies, signedIn);
  const account = accounts.find(({ connection }) => connection.id === id);
  if (account !== undefined) return { account, outage };
  throw outage ?? new NotFoundError({ code: "NOT_FOUND", message: "The connection is not listed." });
}
