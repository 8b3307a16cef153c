import type { GrantEnd } from "../shared/fault.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";

/** A consent that was turned into tokens. Plain data: it is written to the state file as it is. */
export interface Grant {
  readonly id: string;
  readonly provider: ProviderKey;
  readonly clientId: string;
  readonly accountName: string;
  /** The person behind the account; at provider A one person's grants end together. */
  readonly personKey: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  /** When the refresh token ends, counted from the first issue; null where it has no set end. */
  readonly refreshExpiresAt: string | null;
  ended: { cause: GrantEnd; at: string } | null;
  /** Whether a refresh token was ever given for it. */
  hasRefreshToken: boolean;
  /** What scripts count: content calls, profile calls, revocations. */
  counters: Record<string, number>;
  /** What the application asked of it; scripts do not read it, and no control call resets it. */
  readonly uses: GrantUses;
}

export interface GrantUses {
  refreshes: number;
  /** Refreshes that began while another one of the same grant was being answered. */
  overlappingRefreshes: number;
  /** Refreshes with a token that an earlier refresh had replaced. */
  replayedRefreshes: number;
  /** Calls that asked for the revocation, answered well or not. */
  revocations: number;
}

/** `short-lived` and `long-lived` are provider C's two kinds of access token. */
export type TokenKind = "access" | "refresh" | "short-lived" | "long-lived";

/** An issued token. Its value is known by hash only. */
export interface IssuedToken {
  readonly grantId: string;
  readonly kind: TokenKind;
  readonly issuedAt: string;
  readonly expiresAt: string | null;
  /** Set when a rotation put another token in its place. */
  replacedAt: string | null;
}
