import type { SocialProvider } from "@social-connect/contract";
import { addMs, hasPassed } from "@social-connect/domain";
import type { Account } from "../providers/accounts.ts";
import { findAccount } from "../providers/accounts.ts";
import type { Post } from "../providers/posts.ts";
import type { CallFailure, CallFault, ProviderCall } from "../state/providerCall.ts";
import { failing, failure } from "../state/providerCall.ts";
import type { GrantEnd, ProviderGrant, Visibility } from "../state/providerState.ts";
import type { Grant } from "../state/state.ts";
import { randomFor, randomText } from "../util/random.ts";
import type { World } from "../world/world.ts";

const SECOND_MS = 1_000;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How long each provider's tokens live; null where a refresh token has no set end, `none` where there is no such token. */
const LIFETIMES: Readonly<Record<SocialProvider, { access: number; refresh: number | null | "none" }>> = {
  PROVIDER_A: { access: HOUR_SECONDS - 1, refresh: null },
  PROVIDER_B: { access: DAY_SECONDS, refresh: 365 * DAY_SECONDS },
  PROVIDER_C: { access: 60 * DAY_SECONDS, refresh: "none" },
};
/** PROVIDER_C renews a token from its first day on. */
const RENEWABLE_AFTER_MS = DAY_SECONDS * SECOND_MS;

/** How a call of the service goes: how much later than usual it is answered, and how it fails, if it does. */
export interface CallCourse {
  readonly delayMs: number;
  readonly failure: CallFailure | null;
}

type Tokens = Pick<Grant, "accessTokenExpiresAt" | "hasRefreshToken" | "refreshTokenExpiresAt">;

export function accountOf(grant: Pick<ProviderGrant, "provider" | "account">): Account {
  const account = findAccount(grant.provider, grant.account);
  if (account === null) throw new Error(`There is no account ${grant.account} at ${grant.provider}.`);
  return account;
}

/** Starts a call with a grant: what tests and scripts have in store for it, and what the grant itself allows. */
export function startCall(world: World, grant: ProviderGrant, call: Exclude<ProviderCall, "exchange">): CallCourse {
  if (grant.ended !== null) return { delayMs: 0, failure: endOf(grant.provider, grant.ended) };
  const account = accountOf(grant);
  const fault = takeFault(world, account, call) ?? scriptedFault(account, grant, call);
  return course(grant, fault);
}

/** Starts the exchange of a code, for which there is no grant yet. */
export function startExchange(world: World, account: Account): CallCourse {
  const { exchange } = account.script;
  const scripted = exchange === undefined ? null : failing(exchange === "refused" ? "rejected" : "unavailable");
  return course(null, takeFault(world, account, "exchange") ?? scripted);
}

/** Whether a grant that was good when a call began still is when it is answered. */
export function failureAtEnd(grant: ProviderGrant): CallFailure | null {
  return grant.ended === null ? null : endOf(grant.provider, grant.ended);
}

function course(grant: ProviderGrant | null, fault: CallFault | null): CallCourse {
  switch (fault?.kind) {
    case undefined:
      return { delayMs: 0, failure: null };
    case "delay":
      return { delayMs: fault.delayMs, failure: null };
    case "failure":
      return { delayMs: 0, failure: fault.failure };
    case "grant-ends":
      if (grant === null) return { delayMs: 0, failure: failure("rejected") };
      endGrant(grant, fault.cause);
      return { delayMs: 0, failure: endOf(grant.provider, fault.cause) };
  }
}

function takeFault(world: World, account: Account, call: ProviderCall): CallFault | null {
  const { providers } = world.state;
  const rule = providers.faults.find(
    (one) =>
      one.provider === account.provider &&
      (one.call === "any" || one.call === call) &&
      (one.account === null || one.account === account.name),
  );
  if (rule === undefined) return null;
  if (rule.left !== null) {
    rule.left -= 1;
    if (rule.left <= 0) providers.faults = providers.faults.filter((one) => one !== rule);
  }
  return rule.fault;
}

function scriptedFault(account: Account, grant: ProviderGrant, call: ProviderCall): CallFault | null {
  const { script } = account;
  switch (call) {
    case "list":
      grant.contentCalls += 1;
      return script.onContentCall?.(grant.contentCalls) ?? null;
    case "profile":
      grant.profileCalls += 1;
      return script.onProfileCall?.(grant.profileCalls) ?? null;
    case "refresh":
      return script.refresh === "refused" ? failing("grant_gone") : null;
    case "revoke":
      if (script.revoke === undefined) return null;
      if (script.revoke === "rejected") return failing("rejected");
      grant.revocations += 1;
      return grant.revocations <= script.revoke.failuresFirst ? failing("unavailable") : null;
    case "exchange":
      return null;
  }
}

/** What a provider answers once a grant has ended. Only PROVIDER_C says that it was the person who removed the app. */
function endOf(provider: SocialProvider, cause: GrantEnd): CallFailure {
  return failure("grant_gone", { appRemoved: provider === "PROVIDER_C" && cause === "removed-app" });
}

/** A consent becomes a grant on the provider's side. */
export function giveGrant(world: World, account: Account, scopes: readonly string[]): ProviderGrant {
  const grant: ProviderGrant = {
    id: world.newId(),
    provider: account.provider,
    account: account.name,
    personKey: account.personKey,
    scopes: [...scopes],
    ended: null,
    contentCalls: 0,
    profileCalls: 0,
    revocations: 0,
    newestRead: false,
    createdAt: world.now(),
  };
  world.state.providers.grants.set(grant.id, grant);
  return grant;
}

export function tokensOf(account: Account, now: Date): Tokens {
  const { access, refresh } = LIFETIMES[account.provider];
  const { accessTokenSeconds = access, refreshTokenSeconds } = account.script;
  const refreshSeconds = refresh === "none" || refresh === null ? null : (refreshTokenSeconds ?? refresh);
  return {
    accessTokenExpiresAt: addMs(now, accessTokenSeconds * SECOND_MS),
    hasRefreshToken: refresh !== "none",
    refreshTokenExpiresAt: refreshSeconds === null ? null : addMs(now, refreshSeconds * SECOND_MS),
  };
}

/** A renewal as the provider sees it: its failure, or when the new access token ends. */
export function refresh(
  world: World,
  stored: Grant,
  grant: ProviderGrant,
): CallFailure | { readonly accessTokenExpiresAt: Date | null } {
  const now = world.now();
  const { failure: refused } = startCall(world, grant, "refresh");
  if (refused !== null) return refused;
  if (!stored.hasRefreshToken) {
    if (stored.accessTokenExpiresAt !== null && hasPassed(stored.accessTokenExpiresAt, now))
      return failure("grant_gone");
    if (!hasPassed(addMs(grant.createdAt, RENEWABLE_AFTER_MS), now)) return failure("rejected");
  }
  return { accessTokenExpiresAt: tokensOf(accountOf(grant), now).accessTokenExpiresAt };
}

/** PROVIDER_A takes back all that the person ever gave the application; the others this one grant. */
export function takeBack(world: World, grant: ProviderGrant): void {
  endGrant(grant, "revoked");
  if (grant.provider !== "PROVIDER_A") return;
  for (const other of world.state.providers.grants.values()) {
    if (other.provider === grant.provider && other.personKey === grant.personKey) endGrant(other, "revoked");
  }
}

export function endGrant(grant: ProviderGrant, cause: GrantEnd): void {
  grant.ended ??= cause;
}

/** A post's visibility as one grant sees it: a script may take the newest one away once the grant has read it. */
export function visibilityFor(grant: ProviderGrant, posts: readonly Post[]): (post: Post) => Visibility {
  const { newestPost } = accountOf(grant).script;
  if (newestPost === undefined || !grant.newestRead) return (post) => post.visibility;
  const newest = posts.find((post) => post.visibility === "public");
  return (post) => (post === newest ? newestPost : post.visibility);
}

/** Notes for the scripts that its details were read. */
export function notePostRead(grant: ProviderGrant, posts: readonly Post[], postId: string): void {
  if (accountOf(grant).script.newestPost === undefined || grant.newestRead) return;
  if (posts.find((post) => post.visibility === "public")?.id === postId) grant.newestRead = true;
}

/** Whose grant it is, where the provider says so beside the tokens. */
export function ownerToldWithTokens({ provider, accountId }: Account): Grant["owner"] {
  return provider === "PROVIDER_A" ? null : { providerAccountId: accountId, providerUserKey: null };
}

/** What a provider says of the account itself. */
export interface AccountAnswer {
  readonly providerAccountId: string;
  readonly providerUserKey: string | null;
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
}

export function readAccount(account: Account): AccountAnswer {
  const { provider, accountId, displayName, handle, description } = account;
  const avatarUrl = `https://media.example.test/avatars/${account.name}.svg`;
  const shown = { displayName, avatarUrl, description };
  switch (provider) {
    case "PROVIDER_A": {
      const profileUrl = `https://www.youtube.com/channel/${accountId}`;
      return { providerAccountId: accountId, providerUserKey: null, handle: `@${handle}`, profileUrl, ...shown };
    }
    case "PROVIDER_B": {
      const profileUrl = `https://www.tiktok.com/@${handle}`;
      return { providerAccountId: accountId, providerUserKey: accountId, handle, profileUrl, ...shown };
    }
    case "PROVIDER_C": {
      const profileUrl = `https://www.instagram.com/${encodeURIComponent(handle)}/`;
      const providerUserKey = `2776${randomText(randomFor("app-scoped", accountId), 13, "0123456789")}`;
      return { providerAccountId: accountId, providerUserKey, handle, profileUrl, ...shown };
    }
  }
}
