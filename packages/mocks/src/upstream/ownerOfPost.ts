import type { SocialProvider } from "@social-connect/contract";
import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import { type Account, findAccount } from "../providers/accounts.ts";
import { scriptNames, scriptOf } from "../providers/scripts.ts";
import type { Visibility } from "../state/providerState.ts";
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
