import type { Connection, Profile } from "@social-connect/sdk";

/** An account as the service last returned it. */
export interface KnownAccount {
  readonly connection: Connection;
  /** The last profile: the service returns none for an account whose grant has ended. */
  readonly profile: Profile | null;
  /** When the posts were last read; stored for the same reason. */
  readonly lastReadAt: string | null;
  /** When the service last returned this account. */
  readonly seenAt: Date;
}

/** Data of a provider may be stored for 30 days without a new read. */
export const RETENTION_MS = 30 * 24 * 3_600_000;

/**
 * The accounts of each user as last returned by the service, so that an outage or a lost grant never hides an
 * account.
 */
export class KnownAccounts {
  readonly #byUser = new Map<string, ReadonlyMap<string, KnownAccount>>();

  /** Stores the complete list of a user; accounts that are no longer listed are forgotten. */
  rememberAll(userId: string, connections: readonly Connection[], now: Date): readonly KnownAccount[] {
    const before = this.#byUser.get(userId);
    const accounts = connections.map((connection) => merge(connection, before?.get(connection.id), now));
    this.#byUser.set(userId, new Map(accounts.map((account) => [account.connection.id, account])));
    return accounts;
  }

  remember(userId: string, connection: Connection, now: Date): KnownAccount {
    const before = this.#byUser.get(userId) ?? new Map<string, KnownAccount>();
    const account = merge(connection, before.get(connection.id), now);
    this.#byUser.set(userId, new Map([...before, [connection.id, account]]));
    return account;
  }

  all(userId: string, now: Date): readonly KnownAccount[] {
    return [...(this.#byUser.get(userId)?.values() ?? [])].map((account) => withoutExpired(account, now));
  }

  find(userId: string, connectionId: string, now: Date): KnownAccount | undefined {
    const account = this.#byUser.get(userId)?.get(connectionId);
    return account && withoutExpired(account, now);
  }

  forget(userId: string, connectionId: string): void {
    const accounts = new Map(this.#byUser.get(userId));
    accounts.delete(connectionId);
    this.#byUser.set(userId, accounts);
  }
}

/** A name for the account: its profile's, or the provider's id. */
export function nameOf({ profile, connection }: KnownAccount): string {
  return profile?.displayName ?? connection.providerAccountId;
}

export function hasEnded({ connection: { status } }: KnownAccount): boolean {
  return status === "DISCONNECTED" || status === "DELETING";
}

function merge(connection: Connection, before: KnownAccount | undefined, now: Date): KnownAccount {
  // The data of an account that is being erased is not stored here either.
  const kept = connection.status === "DISCONNECTED" || connection.status === "DELETING" ? undefined : before;
  const account = {
    connection,
    profile: connection.profile ?? kept?.profile ?? null,
    lastReadAt: connection.lastSuccessfulSyncAt ?? kept?.lastReadAt ?? null,
    seenAt: now,
  };
  return withoutExpired(account, now);
}

function withoutExpired(account: KnownAccount, now: Date): KnownAccount {
  const { profile } = account;
  if (profile === null || now.getTime() - Date.parse(profile.observedAt) < RETENTION_MS) return account;
  return { ...account, profile: null };
}
