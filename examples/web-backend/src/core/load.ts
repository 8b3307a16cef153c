import { type Connection, type IntegrationReadiness, SocialConnectError } from "@social-connect/sdk";
import type { KnownAccount } from "./accounts.ts";
import { type Dependencies, readDeadline, type SignedIn } from "./context.ts";
import { type Outage, outageOf } from "./outage.ts";

export interface LoadedAccounts {
  readonly accounts: readonly KnownAccount[];
  /** Why the accounts are those of an earlier response. */
  readonly outage: Outage | undefined;
}

/** The user's accounts. During an outage these are the last known ones, never none. */
export async function loadAccounts(dependencies: Dependencies, { user, subject }: SignedIn): Promise<LoadedAccounts> {
  const { store, clock } = dependencies;
  try {
    const connections: Connection[] = [];
    for await (const connection of subject.connections({ deadline: readDeadline(dependencies) })) {
      connections.push(connection);
    }
    return { accounts: store.accounts.rememberAll(user.id, connections, clock.now()), outage: undefined };
  } catch (error) {
    const outage = outageOf(error);
    if (outage === undefined) throw error;
    return { accounts: store.accounts.all(user.id, clock.now()), outage };
  }
}

export interface LoadedHome extends LoadedAccounts {
  /** Null when the service could not say. */
  readonly readiness: IntegrationReadiness | null;
}

export async function loadHome(dependencies: Dependencies, signedIn: SignedIn): Promise<LoadedHome> {
  const [readiness, { accounts, outage }] = await Promise.all([
    dependencies.social.readiness({ deadline: readDeadline(dependencies) }).catch(() => null),
    loadAccounts(dependencies, signedIn),
  ]);
  return { readiness, accounts, outage };
}

export interface LoadedAccount {
  readonly account: KnownAccount;
  readonly outage: Outage | undefined;
}

/** The rows of the list have these states, where a single connection fails with them. */
const LISTED_STATES = ["RECONNECT_REQUIRED", "AUTHORIZATION_SUSPENDED", "DISCONNECT_IN_PROGRESS"];

/** One account, as last known if the service does not answer. Rejects for an account that is not this user's. */
export async function loadAccount(dependencies: Dependencies, signedIn: SignedIn, id: string): Promise<LoadedAccount> {
  const { store, clock } = dependencies;
  const { user, subject } = signedIn;
  try {
    const connection = await subject.connection(id, { deadline: readDeadline(dependencies) });
    return { account: store.accounts.remember(user.id, connection, clock.now()), outage: undefined };
  } catch (error) {
    const outage = outageOf(error);
    const known = store.accounts.find(user.id, id, clock.now());
    if (outage !== undefined && known !== undefined) return { account: known, outage };
    if (!SocialConnectError.is(error) || !LISTED_STATES.includes(error.code)) throw error;
    const loaded = await loadAccounts(dependencies, signedIn);
    const account = loaded.accounts.find(({ connection }) => connection.id === id);
    if (account === undefined) throw error;
    return { account, outage: loaded.outage };
  }
}
