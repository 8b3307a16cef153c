import { factOf, PROVIDER_FACTS } from "../description/providers.ts";
import type { Provider, ProviderCall, ProviderDriver, ProviderFault, RegistrationChange } from "../target/target.ts";
import { FindingSteps } from "./findings.ts";

/** Ordinary accounts, which no case may modify. */
export const GOOD_ACCOUNT = factOf(({ accounts }) => accounts.ordinary);

/** Accounts that cases of this suite disconnect. */
export const REVOCABLE = factOf(({ accounts }) => accounts.revoked);

/** Accounts whose grants a case ends without the service's knowledge. */
export const ENDED_ACCOUNT = factOf(({ accounts }) => accounts.changed);

/** The locks by which a case reserves accounts. */
export function accountHolds(provider: Provider, ...accounts: string[]): string[] {
  return accounts.map((account) => `account:${provider.slice(-1)}:${account}`);
}

/** The lock of a case that revokes the provider's revocable account, or makes that fail. */
export function revocableHolds(provider: Provider): string[] {
  return PROVIDER_FACTS[provider].canRevoke ? accountHolds(provider, REVOCABLE[provider]) : [];
}

/** A registration that serves no application. */
export const SERVES_NONE: RegistrationChange = { clientIds: [] };

export const DOWN: ProviderFault = { kind: "status", status: 503 };

/** Test accounts and registrations at the providers. */
export class AccountSteps extends FindingSteps {
  /** The provider's posts of an account that everyone may see. */
  async publicPosts(provider: Provider, account: string = GOOD_ACCOUNT[provider]) {
    return (await this.provider.posts(provider, account)).filter(({ visibility }) => visibility === "public");
  }

  /** When an account last published: windows before that have posts, however far the clock was moved. */
  async newestPost(provider: Provider, account: string): Promise<Date> {
    const posts = await this.provider.posts(provider, account);
    return new Date(Math.max(...posts.map((post) => Date.parse(post.publishedAt))));
  }

  /** While `during` runs, the provider's calls fail: those of the account, if one is given, and so many, if counted. */
  async whileFault<Result>(
    provider: Provider,
    call: ProviderCall,
    fault: ProviderFault,
    options: Parameters<ProviderDriver["fault"]>[3],
    during: () => Promise<Result>,
  ): Promise<Result> {
    const undo = await this.provider.fault(provider, call, fault, options);
    try {
      return await during();
    } finally {
      await undo();
    }
  }

  /** While `during` runs, the provider's registration has another status, or differs. Only for exclusive cases. */
  async whileRegistration<Result>(
    provider: Provider,
    state: "PAUSED" | "DISABLED" | RegistrationChange,
    during: () => Promise<Result>,
  ): Promise<Result> {
    const operator = this.driver("operator");
    if (typeof state === "object") return operator.whileChanged(provider, state, during);
    await operator.setRegistrationStatus(provider, state);
    try {
      return await during();
    } finally {
      await operator.setRegistrationStatus(provider, "PUBLISHED");
    }
  }
}
