import type { SocialProvider } from "@social-connect/contract";
import type { Account } from "../providers/accounts.ts";
import { findAccount } from "../providers/accounts.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { scriptNames, scriptOf } from "../providers/scripts.ts";
import type { World } from "../world/world.ts";

/** An account with so many is looked through only once it is used: inventing them takes its time. */
const MANY_POSTS = 1_000;

/** The account that a post belongs to, among those that are known by name or have been used; null for nobody's. */
export function ownerOfPost(world: World, provider: SocialProvider, postId: string): Account | null {
  const { providers } = world.state;
  const used = [...providers.named.values(), ...providers.grants.values()].filter((one) => one.provider === provider);
  const names = new Set([
    ...used.map(({ account }) => account),
    ...PROVIDERS[provider].ordinaryAccounts,
    ...scriptNames(provider).filter((name) => (scriptOf(provider, name)?.postCount ?? 0) < MANY_POSTS),
  ]);
  for (const name of names) {
    const account = findAccount(provider, name);
    if (account !== null && world.posts.of(account, providers).some((post) => post.id === postId)) return account;
  }
  return null;
}
