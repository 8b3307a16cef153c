import type { Account } from "../accounts/account.ts";
import type { Post } from "../accounts/post.ts";
import type { World } from "../world.ts";

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
export function showPost(account: Account, post: Post) {
  const { id, publishedAt, form, visibility, title } = post;
  return { id, publishedAt: publishedAt.toISOString(), form, visibility, title, url: addressOf(account, post) };
}

function addressOf(account: Account, post: Post): string {
  switch (account.provider) {
    case "provider-a":
      return `https://www.youtube.com/watch?v=${post.id}`;
    case "provider-b":
      return `https://www.tiktok.com/@${account.handle}/video/${post.id}`;
    case "provider-c":
      return `https://www.instagram.com/${post.form === "reel" ? "reel" : "p"}/${post.shortcode}/`;
  }
}
