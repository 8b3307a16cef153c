import { factOf, PROVIDER_FACTS } from "../../description/providers.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Provider } from "../../target/target.ts";

/** Ordinary accounts, which no case may modify. */
export const GOOD_ACCOUNT = factOf(({ accounts }) => accounts.ordinary);

/** Accounts that cases of this suite disconnect. */
export const REVOCABLE = factOf(({ accounts }) => accounts.revoked);

/** Accounts whose grants a case ends without the service's knowledge. */
export const ENDED_ACCOUNT = factOf(({ accounts }) => accounts.changed);

/** The lock by which a case reserves an account. */
export function accountHold(provider: Provider, account: string): string {
  return `account:${provider.slice(-1)}:${account}`;
}

export function accountHolds(provider: Provider, ...accounts: string[]): string[] {
  return accounts.map((account) => accountHold(provider, account));
}

/** The lock of a case that revokes the provider's revocable account, or makes that fail. */
export function revocableHolds(provider: Provider): string[] {
  return PROVIDER_FACTS[provider].canRevoke ? [accountHold(provider, REVOCABLE[provider])] : [];
}

/** The provider's posts of an account that everyone may see. */
export async function publicPosts(t: CaseContext, provider: Provider, account: string = GOOD_ACCOUNT[provider]) {
  return (await t.provider.posts(provider, account)).filter(({ visibility }) => visibility === "public");
}

/** When an account last published: windows before that have posts, however far the clock was moved. */
export async function newestPost(t: CaseContext, provider: Provider, account: string): Promise<Date> {
  const posts = await t.provider.posts(provider, account);
  return new Date(Math.max(...posts.map((post) => Date.parse(post.publishedAt))));
}
