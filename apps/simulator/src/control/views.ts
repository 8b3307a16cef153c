import type { Account } from "../accounts/account.ts";
import type { Post } from "../accounts/post.ts";
import { fixturesOf } from "../shared/providerKeys.ts";
import type { World } from "../state/world.ts";

/** An account in the control API. */
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

/** A post in the control API, with the URL that users would copy. */
export function showPost(account: Account, post: Post) {
  const { id, publishedAt, form, visibility, title } = post;
  const url = fixturesOf(account.provider).postUrl(post, account.handle);
  return { id, publishedAt: publishedAt.toISOString(), form, visibility, title, url };
}
