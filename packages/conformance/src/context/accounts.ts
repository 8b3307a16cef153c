import type { AdminClient } from "../_generated/adminWire.ts";
import { factOf, PROVIDER_FACTS } from "../description/providers.ts";
import type { Provider, ProviderCall, ProviderDriver, ProviderFault, RegistrationChange } from "../target/target.ts";
import { FindingSteps } from "./findings.ts";

/** Ordinary accounts, which no case may modify. */
export const GOOD_ACCOUNT = factOf(({ accounts }) => accounts.ordinary);

/** Accounts that cases of this suite disconnect. */
export const REVOCABLE = factOf(({ accounts }) => accounts.revoked);

/** Accounts whose grants a case ends without the service's knowledge. */
export const ENDED_ACCOUNT = factOf(({ accounts }) => accounts.changed);

/** Two accounts of different users, of which the first is revoked. */
export const UNRELATED_ACCOUNTS = factOf(({ accounts }) => [accounts.revoked, accounts.unrelated] as const);

/** Accounts about which their providers send messages: that the user removed the app, or wants their data deleted. */
export const REMOVED = ["PROVIDER_B", "desert-runner"] as const;
export const DELETED = ["PROVIDER_C", "flat-token"] as const;

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

/** The case's application as an admin changes it, registrations, and test accounts at the providers. */
export class AccountSteps extends FindingSteps {
  clientId(): Promise<string> {
    return this.driver("operator").clientId(this.application);
  }

  async setEnabled(enabled: boolean): Promise<void> {
    await this.admin.get("setClientEnabled", { id: await this.clientId(), enabled });
  }

  /** Replaces these parts of the policy, and returns what undoes it. */
  async setPolicy(changed: Partial<Pick<AdminClient, "providers" | "capabilities">>): Promise<() => Promise<unknown>> {
    const id = await this.clientId();
    const { providers, capabilities } = await this.admin.get("adminClient", { id });
    await this.admin.get("setClientPolicy", { id, providers, capabilities, ...changed });
    return () => this.admin.get("setClientPolicy", { id, providers, capabilities });
  }

  async setIdentity(enabled: boolean, returnUrls?: readonly string[]): Promise<AdminClient> {
    const id = await this.clientId();
    return this.admin.inPanel("setClientIdpIdentity", { id, enabled, ...(returnUrls && { returnUrls }) });
  }

  /** Enables or disables previews, with these return paths besides its own. */
  async setPreviews(enabled: boolean, ...paths: readonly string[]): Promise<AdminClient> {
    const id = await this.clientId();
    for (const path of paths) await this.admin.get("addClientPreviewReturnPath", { id, path });
    return this.admin.get("setClientPreviewOrigins", { id, enabled });
  }

  async addReturnUrl(url: string): Promise<void> {
    await this.admin.get("addClientReturnUrl", { id: await this.clientId(), url, confirmedNoOnwardRedirect: true });
  }

  async removeReturnUrl(url: string): Promise<void> {
    await this.admin.get("removeClientReturnUrl", { id: await this.clientId(), url });
  }

  async issueKey(expiresInDays: number | null = null): Promise<string> {
    return (await this.admin.inPanel("issueClientCredential", { id: await this.clientId(), expiresInDays })).key;
  }

  async revokeKey(key: string): Promise<void> {
    const keyId = key.slice(0, key.indexOf("."));
    await this.admin.inPanel("revokeClientCredential", { id: await this.clientId(), keyId });
  }

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
    await using undoing = new AsyncDisposableStack();
    undoing.defer(await this.provider.fault(provider, call, fault, options));
    return await during();
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
    await using undoing = new AsyncDisposableStack();
    undoing.defer(() => operator.setRegistrationStatus(provider, "PUBLISHED"));
    return await during();
  }
}
