import type { Account } from "../accounts/account.ts";
import type { Post } from "../accounts/post.ts";
import type { World } from "../state/world.ts";

/** An account as the control address shows it. */
export function showAccount(world: World, account: Account) {
  const grants = world.grants.select(
    (grant) => grant.provider === account.provider && grant.accountName === account.name,
  );
  const { provider, name, accountId, displayName, handle, summary, ordinary, tester } = account;
  return {
    provider,
    name,
    accountId,
    displayName,
    handle,
    summary,
    ordinary,
    tester,
    grants: grants.map(({ id, clientId, scopes, createdAt, ended, uses }) => ({
      ...{ id, clientId, scopes, createdAt, ended },
      uses,
    })),
  };
}

/** A post with the address a person would copy. */
export function showPost(world: World, account: Account, post: Post) {
  const { id, publishedAt, form, visibility, title } = post;
  const url = world.providers[account.provider].postAddress(account, post);
  return { id, publishedAt: publishedAt.toISOString(), form, visibility, title, url };
}
