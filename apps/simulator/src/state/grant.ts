import type { GrantEnd } from "../shared/fault.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";

/** A consent for which tokens were issued. Stored unchanged in the state file. */
export interface Grant {
  readonly id: string;
  readonly provider: ProviderKey;
  readonly clientId: string;
  readonly accountName: string;
  /** The user of the account; at provider A all grants of a user end together. */
  readonly personKey: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  /** When the refresh token expires, from the first issue; null: it does not expire. */
  readonly refreshExpiresAt: string | null;
  ended: { cause: GrantEnd; at: string } | null;
  /** Whether a refresh token was ever issued for it. */
  hasRefreshToken: boolean;
  /** Counters of scripts: content calls, profile calls, revocations. */
  counters: Record<string, number>;
  /** Calls of the application. Not used by scripts, and never reset. */
  readonly uses: GrantUses;
}

export interface GrantUses {
  refreshes: number;
  /** Refreshes that started during another refresh of the grant. */
  overlappingRefreshes: number;
  /** Refreshes with a replaced token. */
  replayedRefreshes: number;
  /** Revocation calls, successful or not. */
  revocations: number;
}

/** `short-lived` and `long-lived` are provider C's two kinds of access token. */
export type TokenKind = "access" | "refresh" | "short-lived" | "long-lived";

/** An issued token. Only the hash of its value is stored. */
export interface IssuedToken {
  readonly grantId: string;
  readonly kind: TokenKind;
  readonly issuedAt: string;
  readonly expiresAt: string | null;
  /** Set when a rotation replaced the token. */
  replacedAt: string | null;
}
