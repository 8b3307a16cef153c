import { createHash } from "node:crypto";
import { DAY_MS, SECOND_MS, type TimeSource } from "../shared/clock.ts";
import type { GrantEnd } from "../shared/grantEnd.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import { unguessable } from "../shared/random.ts";

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

type GrantUses = ReturnType<typeof noUses>;

/** `short-lived` and `long-lived` are provider C's two kinds of access token. */
type TokenKind = "access" | "refresh" | "short-lived" | "long-lived";

/** An issued token. Only the hash of its value is stored. */
interface IssuedToken {
  readonly grantId: string;
  readonly kind: TokenKind;
  readonly issuedAt: string;
  readonly expiresAt: string | null;
  /** Set when a rotation replaced the token. */
  replacedAt: string | null;
  /** The use of a refresh token: the requests with it, and how many of them the client saw refused. */
  readonly sends: { received: number; refused: number };
}

export interface SavedGrants {
  readonly grants: readonly Grant[];
  readonly tokens: readonly (readonly [string, IssuedToken])[];
}

export interface FoundToken {
  readonly grant: Grant;
  readonly token: IssuedToken;
  readonly expired: boolean;
}

/** All grants and tokens. Every change calls `onChange`, which saves the state. */
export type Grants = ReturnType<typeof createGrants>;

type NewGrant = Omit<Grant, "id" | "createdAt" | "ended" | "hasRefreshToken" | "counters" | "uses">;

export function createGrants(clock: TimeSource, onChange: () => void) {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, IssuedToken>();

  return {
    create: (fields: NewGrant): Grant => {
      const grant: Grant = {
        ...fields,
        id: unguessable(12),
        createdAt: clock.now().toISOString(),
        ended: null,
        hasRefreshToken: false,
        counters: {},
        uses: noUses(),
      };
      grants.set(grant.id, grant);
      onChange();
      return grant;
    },
    /** Stores the hash of `value` as a token of the grant. */
    issue: (grant: Grant, kind: TokenKind, value: string, lifetimeSeconds: number | null): void => {
      if (kind === "refresh") grant.hasRefreshToken = true;
      const now = clock.now();
      const expiresAt =
        lifetimeSeconds === null ? null : new Date(now.getTime() + lifetimeSeconds * SECOND_MS).toISOString();
      tokens.set(hashOf(value), {
        grantId: grant.id,
        kind,
        issuedAt: now.toISOString(),
        expiresAt,
        replacedAt: null,
        sends: noSends(),
      });
      onChange();
    },
    /** Finds a token, also if it has expired or ended; null for an unknown token. */
    find: (value: string): FoundToken | null => {
      const token = tokens.get(hashOf(value));
      const grant = token === undefined ? undefined : grants.get(token.grantId);
      if (token === undefined || grant === undefined) return null;
      const expired = token.expiresAt !== null && Date.parse(token.expiresAt) <= clock.now().getTime();
      return { grant, token, expired };
    },
    replace: (value: string): void => {
      const token = tokens.get(hashOf(value));
      if (token !== undefined) token.replacedAt = clock.now().toISOString();
      onChange();
    },
    end: (grant: Grant, cause: GrantEnd): void => {
      grant.ended ??= { cause, at: clock.now().toISOString() };
      onChange();
    },
    select: (matches: (grant: Grant) => boolean): Grant[] => [...grants.values()].filter(matches),
    saved: (): SavedGrants => ({ grants: [...grants.values()], tokens: [...tokens] }),
    restore: (saved: SavedGrants): void => {
      grants.clear();
      tokens.clear();
      // Older state files have no `uses` and no `sends`.
      for (const grant of saved.grants) grants.set(grant.id, { ...grant, uses: { ...noUses(), ...grant.uses } });
      for (const [hash, token] of saved.tokens) {
        if (isRetained(token, clock.now())) tokens.set(hash, { ...token, sends: { ...noSends(), ...token.sends } });
      }
    },
  };
}

function noUses() {
  return { refreshes: 0, overlappingRefreshes: 0, replayedRefreshes: 0, blindRefreshes: 0, revocations: 0 };
}

function noSends() {
  return { received: 0, refused: 0 };
}

/** Drops access tokens that expired a week ago; calls with them still get the same error. */
function isRetained({ kind, expiresAt }: IssuedToken, now: Date): boolean {
  return kind !== "access" || expiresAt === null || Date.parse(expiresAt) > now.getTime() - 7 * DAY_MS;
}

function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}
