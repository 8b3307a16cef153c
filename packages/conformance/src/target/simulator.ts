import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { requestJson } from "./panelOverHttp.ts";
import type { ConsentChoice, Provider, ProviderDriver, ProviderPost } from "./target.ts";

const MANY = 1_000_000;

export function openSimulator(url: string): ProviderDriver {
  const control = `${url}/__sim`;
  const account = (provider: Provider, name: string) => `${control}/accounts/${PROVIDER_FACTS[provider].slug}/${name}`;
  return {
    consent,
    testers: async () => {
      const { accounts } = (await requestJson(`${control}/accounts`, "GET")) as {
        accounts: readonly { provider: string; name: string; accountId: string; tester: boolean }[];
      };
      return PROVIDERS.flatMap((provider) =>
        accounts
          .filter((one) => one.provider === PROVIDER_FACTS[provider].slug && one.tester)
          .map(({ name, accountId }) => ({ provider, account: name, accountId })),
      );
    },
    catchUp: (now) => catchUp(control, now),
    accountId: async (provider, name) =>
      ((await requestJson(account(provider, name), "GET")) as { accountId: string }).accountId,
    posts: async (provider, name) =>
      ((await requestJson(`${account(provider, name)}/posts`, "GET")) as { posts: ProviderPost[] }).posts,
    publish: async (provider, name, post = {}) =>
      (await requestJson(`${account(provider, name)}/posts`, "POST", {
        ...post,
        ...(post.publishedAt !== undefined && { publishedAt: post.publishedAt.toISOString() }),
      })) as ProviderPost,
    setVisibility: async (provider, name, postId, visibility) => {
      await requestJson(`${account(provider, name)}/posts/${postId}`, "POST", { visibility });
    },
    endGrants: async (provider, name) => {
      await requestJson(`${account(provider, name)}/end-grant`, "POST", {});
    },
    removeApp: async (provider, name, at) => {
      await requestJson(`${account(provider, name)}/remove-app`, "POST", {
        ...(at !== undefined && { at: at.toISOString() }),
      });
    },
    requestDeletion: async (provider, name, at) => {
      const { requests } = (await requestJson(`${account(provider, name)}/request-deletion`, "POST", {
        ...(at !== undefined && { at: at.toISOString() }),
      })) as { requests: readonly { readonly status: number | null; readonly body: string | null }[] };
      const [{ status, body } = { status: null, body: null }] = requests;
      if (status !== 200 || body === null) return null;
      const { url, confirmation_code: confirmationCode } = JSON.parse(body) as Record<string, string>;
      return url === undefined || confirmationCode === undefined ? null : { url, confirmationCode };
    },
    faultsLeft: async (provider, name) => {
      const { faults } = (await requestJson(`${control}/faults`, "GET")) as {
        faults: readonly { readonly provider: string; readonly account?: string; readonly remaining: number }[];
      };
      const ofAccount = faults.filter(
        (fault) => fault.provider === PROVIDER_FACTS[provider].slug && fault.account === name,
      );
      return ofAccount.reduce((sum, { remaining }) => sum + remaining, 0);
    },
    fault: async (provider, call, fault, options = {}) => {
      // One rule for all endpoints of the call: the failing calls are counted together.
      const { slug, endpoints } = PROVIDER_FACTS[provider];
      const rule = { provider: slug, endpoint: call === "any" ? "*" : endpoints[call], fault };
      const count = options.count ?? MANY;
      const account = options.account === undefined ? {} : { account: options.account };
      const { id } = (await requestJson(`${control}/faults`, "POST", { ...rule, count, ...account })) as { id: string };
      return async () => {
        // A fault that has failed as often as requested is already removed.
        await fetch(`${control}/faults/${id}`, { method: "DELETE" });
      };
    },
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No case reads further back for accounts with many posts. */
const CAUGHT_UP_MS = 62 * DAY_MS;
/** Hours between two posts; others publish about daily. */
const BUSY: Readonly<Record<string, number>> = { "thousand-posts": 2 };
/** Their posts are their own and created once. */
const NOT_CAUGHT_UP = new Set([
  "cursor-returns",
  "cursor-rejected",
  "cursor-stuck",
  "repeated-posts",
  "hostile-text",
  "ten-thousand-posts",
  "many-uploads",
  "burst",
]);

async function catchUp(control: string, now: Date): Promise<void> {
  const { accounts } = (await requestJson(`${control}/accounts`, "GET")) as {
    accounts: readonly { readonly provider: string; readonly name: string }[];
  };
  for (const { provider, name } of accounts) {
    const { forms } = Object.values(PROVIDER_FACTS).find(({ slug }) => slug === provider) ?? { forms: [] };
    if (forms.length === 0 || NOT_CAUGHT_UP.has(name)) continue;
    const address = `${control}/accounts/${provider}/${name}/posts`;
    const { posts } = (await requestJson(address, "GET")) as { posts: readonly ProviderPost[] };
    const newestMs = Math.max(...posts.map((post) => Date.parse(post.publishedAt)));
    const gapMs = (BUSY[name] ?? 20) * HOUR_MS;
    if (posts.length === 0 || now.getTime() - newestMs < gapMs + 6 * HOUR_MS) continue;
    const first = Math.max(newestMs + gapMs, now.getTime() - CAUGHT_UP_MS);
    for (let atMs = first, index = 0; atMs < now.getTime() - HOUR_MS; atMs += gapMs, index += 1) {
      const form = forms[index % forms.length];
      const publishedAt = new Date(Math.floor(atMs / 1_000) * 1_000).toISOString();
      await requestJson(address, "POST", {
        publishedAt,
        form,
        title: `Post ${index}`,
        text: `Caught up, number ${index}.`,
      });
    }
  }
}

interface ConsentPage {
  readonly request: string;
  readonly action: string;
  readonly scopes: readonly string[];
}

async function consent(authorizationUrl: string, choice: ConsentChoice): Promise<URL> {
  const shown = await fetch(authorizationUrl, { headers: { accept: "application/json" }, redirect: "manual" });
  const direct = shown.headers.get("location");
  // Some refusals redirect to the application without a page.
  if (direct !== null) return new URL(direct, authorizationUrl);
  if (!shown.ok) throw new Error(`No consent page but status ${shown.status}.`);
  const page = (await shown.json()) as ConsentPage;
  const form = new URLSearchParams({
    request: page.request,
    account: choice.account,
    decision: choice.decision ?? "allow",
  });
  for (const scope of choice.scopes?.(page.scopes) ?? page.scopes) form.append("scope", scope);
  const answer = await fetch(page.action, { method: "POST", body: form, redirect: "manual" });
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`The consent was rejected: status ${answer.status}`);
  return new URL(location);
}
