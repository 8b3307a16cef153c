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
const RETENTION_MS = 30 * 24 * 3_600_000;

/** The accounts of each user as last returned by the service, so that an outage or a lost grant never hides one. */
export class KnownAccounts {
  readonly #byUser = new Map<string, readonly KnownAccount[]>();

  /** Stores the complete list of a user; accounts that are no longer listed are forgotten. */
  remember(userId: string, connections: readonly Connection[], now: Date): readonly KnownAccount[] {
    const known = this.of(userId, now);
    const accounts = connections.map((connection): KnownAccount => {
      // The data of an account that is being erased is not stored here either.
      const before = hasEnded(connection) ? undefined : known.find((one) => one.connection.id === connection.id);
      const profile = connection.profile ?? before?.profile ?? null;
      return {
        connection,
        profile,
        lastReadAt: connection.lastSuccessfulSyncAt ?? before?.lastReadAt ?? null,
        seenAt: now,
      };
    });
    this.#byUser.set(userId, accounts);
    return this.of(userId, now);
  }

  of(userId: string, now: Date): readonly KnownAccount[] {
    const isExpired = ({ observedAt }: Profile) => now.getTime() - Date.parse(observedAt) >= RETENTION_MS;
    return (this.#byUser.get(userId) ?? []).map((account) =>
      account.profile !== null && isExpired(account.profile) ? { ...account, profile: null } : account,
    );
  }

  forget(userId: string, connectionId: string): void {
    const others = this.#byUser.get(userId)?.filter(({ connection }) => connection.id !== connectionId) ?? [];
    this.#byUser.set(userId, others);
  }
}

/** A name for the account: its profile's, or the provider's id. */
export function nameOf({ profile, connection }: KnownAccount): string {
  return profile?.displayName ?? connection.providerAccountId;
}

export function hasEnded({ status }: Connection): boolean {
  return status === "DISCONNECTED" || status === "DELETING";
}
