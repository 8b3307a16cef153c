import type { SocialProvider } from "@social-connect/contract";
import { addMs } from "@social-connect/domain";
import { PROVIDER_FIXTURES, type ProviderFixtures } from "@social-connect/provider-fixtures";
import { type Account, findAccount } from "../providers/accounts.ts";
import type { Post } from "../providers/posts.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { scriptNames, scriptOf } from "../providers/scripts.ts";
import { type CallFailure, failure, type GrantEnd } from "../state/providerCall.ts";
import type { ProviderGrant, Visibility } from "../state/providerState.ts";
import type { Grant } from "../state/state.ts";
import type { World } from "../world/world.ts";

/** Accounts with this many posts are searched only after their first use, because generating the posts is slow. */
const MANY_POSTS = 1_000;
const HIDDEN_FROM_OTHERS: readonly Visibility[] = ["private", "deleted"];

/**
 * The owner of a post among the scripted, ordinary and used accounts. Null when none of them has it, and when other
 * accounts cannot see it.
 */
export function ownerOfPost(world: World, provider: SocialProvider, postId: string): Account | null {
  const { providers } = world.state;
  const used = [...providers.named.values(), ...providers.grants.values()].filter((one) => one.provider === provider);
  const names = new Set([
    ...used.map(({ account }) => account),
    ...PROVIDER_FIXTURES[provider].ordinaryAccounts,
    ...scriptNames(provider).filter((name) => (scriptOf(provider, name)?.postCount ?? 0) < MANY_POSTS),
  ]);
  for (const name of names) {
    const account = findAccount(provider, name);
    const post = account && world.posts.of(account, providers).find(({ id }) => id === postId);
    if (post) return HIDDEN_FROM_OTHERS.includes(post.visibility) ? null : account;
  }
  return null;
}

export function accountOf(grant: Pick<ProviderGrant, "provider" | "account">): Account {
  const account = findAccount(grant.provider, grant.account);
  if (account === null) throw new Error(`Unknown account ${grant.account} at ${grant.provider}.`);
  return account;
}

export function createGrant(world: World, account: Account, scopes: readonly string[]): ProviderGrant {
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

type Tokens = Pick<Grant, "accessTokenExpiresAt" | "hasRefreshToken" | "refreshTokenExpiresAt">;

export function tokensOf(account: Account, now: Date): Tokens {
  const usual: ProviderFixtures = PROVIDER_FIXTURES[account.provider];
  const { accessTokenSeconds = usual.accessTokenSeconds, refreshTokenSeconds } = account.script;
  const usualRefresh = usual.refreshTokenSeconds;
  const expires = usualRefresh === "none" ? null : (refreshTokenSeconds ?? usualRefresh);
  return {
    accessTokenExpiresAt: addMs(now, accessTokenSeconds * 1_000),
    hasRefreshToken: usualRefresh !== "none",
    refreshTokenExpiresAt: expires === null ? null : addMs(now, expires * 1_000),
  };
}

/** The owner that the token response names; null at a provider that names none. */
export function ownerInTokens({ provider, accountId }: Account): Grant["owner"] {
  return PROVIDERS[provider].tokensNameOwner ? { providerAccountId: accountId, providerUserKey: null } : null;
}

export function revokeAtProvider(world: World, grant: ProviderGrant): void {
  endGrant(grant, "revoked");
  if (!PROVIDER_FIXTURES[grant.provider].grantsEndTogether) return;
  for (const other of world.state.providers.grants.values()) {
    if (other.provider === grant.provider && other.personKey === grant.personKey) endGrant(other, "revoked");
  }
}

export function endGrant(grant: ProviderGrant, cause: GrantEnd): void {
  grant.ended ??= cause;
}

/** The provider's error for a grant that has ended. */
export function failureOfEnd(provider: SocialProvider, cause: GrantEnd): CallFailure {
  return failure("grant_gone", { appRemoved: PROVIDERS[provider].reportsRemovedApp && cause === "removed-app" });
}

/** A post's visibility to one grant: a script may hide the newest post after the grant has read it. */
export function visibilityFor(grant: ProviderGrant, posts: readonly Post[]): (post: Post) => Visibility {
  const { newestPost } = accountOf(grant).script;
  if (newestPost === undefined || !grant.newestRead) return (post) => post.visibility;
  const newest = posts.find((post) => post.visibility === "public");
  return (post) => (post === newest ? newestPost : post.visibility);
}

/** Records for the scripts that the grant has read a post. */
export function recordPostRead(grant: ProviderGrant, posts: readonly Post[], postId: string): void {
  if (accountOf(grant).script.newestPost === undefined || grant.newestRead) return;
  if (posts.find((post) => post.visibility === "public")?.id === postId) grant.newestRead = true;
}
