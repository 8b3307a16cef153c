import { createHash } from "node:crypto";
import type { TimeSource } from "../shared/clock.ts";
import { DAY_MS, SECOND_MS } from "../shared/clock.ts";
import type { GrantEnd } from "../shared/fault.ts";
import { unguessable } from "../shared/random.ts";
import type { Grant, GrantUses, IssuedToken, TokenKind } from "./grant.ts";

export interface SavedGrants {
  readonly grants: readonly Grant[];
  /** Token hashes and what they stand for. */
  readonly tokens: readonly (readonly [string, IssuedToken])[];
}

export interface FoundToken {
  readonly grant: Grant;
  readonly token: IssuedToken;
  /** Past its end by the clock. */
  readonly expired: boolean;
}

/** Every grant and token of the simulator. A change calls `onChange`, so that it can be written down. */
export interface Grants {
  create(grant: Omit<Grant, "id" | "createdAt" | "ended" | "hasRefreshToken" | "counters" | "uses">): Grant;
  /** Remembers `value` as a token of the grant. */
  issue(grant: Grant, kind: TokenKind, value: string, lifetimeSeconds: number | null): void;
  /** What a token stands for, also when it is dead; null when it never was one. */
  find(value: string): FoundToken | null;
  replace(value: string): void;
  end(grant: Grant, cause: GrantEnd): void;
  select(matches: (grant: Grant) => boolean): Grant[];
  saved(): SavedGrants;
  restore(saved: SavedGrants): void;
}

export function createGrants(clock: TimeSource, onChange: () => void): Grants {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, IssuedToken>();

  return {
    create: (fields) => {
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
    issue: (grant, kind, value, lifetimeSeconds) => {
      if (kind === "refresh") grant.hasRefreshToken = true;
      const now = clock.now();
      const expiresAt =
        lifetimeSeconds === null ? null : new Date(now.getTime() + lifetimeSeconds * SECOND_MS).toISOString();
      tokens.set(hashOf(value), { grantId: grant.id, kind, issuedAt: now.toISOString(), expiresAt, replacedAt: null });
      onChange();
    },
    find: (value) => {
      const token = tokens.get(hashOf(value));
      const grant = token === undefined ? undefined : grants.get(token.grantId);
      if (token === undefined || grant === undefined) return null;
      const expired = token.expiresAt !== null && Date.parse(token.expiresAt) <= clock.now().getTime();
      return { grant, token, expired };
    },
    replace: (value) => {
      const token = tokens.get(hashOf(value));
      if (token !== undefined) token.replacedAt = clock.now().toISOString();
      onChange();
    },
    end: (grant, cause) => {
      grant.ended ??= { cause, at: clock.now().toISOString() };
      onChange();
    },
    select: (matches) => [...grants.values()].filter(matches),
    saved: () => ({ grants: [...grants.values()], tokens: [...tokens] }),
    restore: (saved) => {
      grants.clear();
      tokens.clear();
      // A state file from before uses were counted has none.
      for (const grant of saved.grants) grants.set(grant.id, { ...grant, uses: { ...noUses(), ...grant.uses } });
      for (const [hash, token] of saved.tokens) if (isWorthKeeping(token, clock.now())) tokens.set(hash, token);
    },
  };
}

function noUses(): GrantUses {
  return { refreshes: 0, overlappingRefreshes: 0, replayedRefreshes: 0, revocations: 0 };
}

/** Access tokens that ended a week ago are dropped: whoever sends one is told the same as before. */
function isWorthKeeping({ kind, expiresAt }: IssuedToken, now: Date): boolean {
  return kind !== "access" || expiresAt === null || Date.parse(expiresAt) > now.getTime() - 7 * DAY_MS;
}

function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}
