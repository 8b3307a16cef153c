import { factOf, PROVIDER_FACTS } from "../../description/providers.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Provider, ProviderCall, ProviderDriver, ProviderFault } from "../../target/target.ts";

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

export const DOWN: ProviderFault = { kind: "status", status: 503 };

/** While `during` runs, the provider's calls fail: those of the account, if one is given, and so many, if counted. */
export async function whileFault<Result>(
  t: CaseContext,
  provider: Provider,
  call: ProviderCall,
  fault: ProviderFault,
  options: Parameters<ProviderDriver["fault"]>[3],
  during: () => Promise<Result>,
): Promise<Result> {
  const undo = await t.provider.fault(provider, call, fault, options);
  try {
    return await during();
  } finally {
    await undo();
  }
}

/**
 * While `during` runs, the provider's registration has another status, or serves no application. Only for exclusive
 * cases.
 */
export async function whileRegistration<Result>(
  t: CaseContext,
  provider: Provider,
  state: "PAUSED" | "DISABLED" | "serves-none",
  during: () => Promise<Result>,
): Promise<Result> {
  const operator = t.driver("operator");
  const isStatus = state !== "serves-none";
  await (isStatus ? operator.setRegistrationStatus(provider, state) : operator.setServed(provider, false));
  try {
    return await during();
  } finally {
    await (isStatus ? operator.setRegistrationStatus(provider, "PUBLISHED") : operator.setServed(provider, true));
  }
}
