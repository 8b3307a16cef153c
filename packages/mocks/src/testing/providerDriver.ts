import { missingPosts, type Provider, type ProviderDriver, type ProviderPost } from "@social-connect/conformance";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import type { DeletionReceipt } from "../control/accountControl.ts";
import type { ProviderFault } from "../control/providerFaultsControl.ts";
import type { Control } from "./control.ts";
import { openPage } from "./post.ts";

export function providerDriver(control: Control, fetch: typeof globalThis.fetch): ProviderDriver {
  const path = (provider: Provider, account: string) => `accounts/${provider}/${account}`;
  const postsOf = async (provider: Provider, account: string) =>
    await control<ProviderPost[]>("GET", `${path(provider, account)}/posts`);
  const namesOf = async (provider: Provider) =>
    await control<{ name: string; isTester: boolean }[]>("GET", `accounts/${provider}`);
  const idOf = async (provider: Provider, account: string) =>
    (await control<{ id: string }>("GET", path(provider, account))).id;
  return {
    catchUp: async (now) => {
      for (const provider of SOCIAL_PROVIDERS) {
        const { forms } = PROVIDER_FIXTURES[provider];
        for (const { name } of await namesOf(provider)) {
          const missing = await missingPosts(name, () => postsOf(provider, name), now);
          for (const [index, post] of missing.entries()) {
            const form = forms[index % forms.length]?.[0];
            await control("POST", `${path(provider, name)}/posts`, { ...post, form });
          }
        }
      }
    },
    consent: async (authorizationUrl, { account, decision = "allow", scopes }) => {
      const page = await openPage(fetch, authorizationUrl);
      const form = new URLSearchParams({ state: page.state, requested: page.scopes.join(" "), account, decision });
      for (const scope of scopes?.(page.scopes) ?? page.scopes) form.append("scope", scope);
      return page.decide(form);
    },
    testers: async () => {
      const testers = [];
      for (const provider of SOCIAL_PROVIDERS) {
        for (const { name, isTester } of await namesOf(provider)) {
          if (isTester) testers.push({ provider, account: name, accountId: await idOf(provider, name) });
        }
      }
      return testers;
    },
    accountId: idOf,
    posts: postsOf,
    publish: (provider, account, { text, ...post } = {}) =>
      control("POST", `${path(provider, account)}/posts`, { ...post, description: text }),
    setVisibility: (provider, account, postId, visibility) =>
      control("POST", `${path(provider, account)}/posts/${postId}`, { visibility }),
    endGrants: (provider, account) => control("POST", `${path(provider, account)}/end-grants`, {}),
    removeApp: (provider, account, at) => control("POST", `${path(provider, account)}/remove-app`, { at }),
    requestDeletion: async (provider, account, at) => {
      const address = `${path(provider, account)}/request-deletion`;
      const { url, confirmationCode } = await control<Partial<DeletionReceipt>>("POST", address, { at });
      return url === undefined || confirmationCode === undefined ? null : { url, confirmationCode };
    },
    faultsLeft: async (provider, account) => {
      const faults = await control<readonly ProviderFault[]>("GET", "provider-faults");
      const ofAccount = faults.filter((fault) => fault.provider === provider && fault.account === account);
      return ofAccount.reduce((sum, { left }) => sum + (left ?? 0), 0);
    },
    fault: async (provider, call, fault, { account, count: times } = {}) => {
      const scope = { account, times };
      const rule = { provider, call, ...controlFault(fault), ...scope };
      const { id } = await control<{ id: string }>("POST", "provider-faults", rule);
      return () => control("DELETE", `provider-faults/${id}`);
    },
  };
}

function controlFault(fault: Parameters<ProviderDriver["fault"]>[2]): object {
  switch (fault.kind) {
    case "delay":
      return { delay: fault.delayMs };
    case "status":
      return { status: fault.status, retryAfterSeconds: fault.retryAfterSeconds };
    case "rate-limited":
      return { failure: "rate_limited", retryAfterSeconds: fault.retryAfterSeconds };
    case "refused":
      return { failure: "rejected" };
  }
}
