import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { Browser } from "../wire/browser.ts";
import { requestJson } from "./panelOverHttp.ts";
import type { ClockDriver, ConsentChoice, IdentityDriver, Provider, ProviderDriver, ProviderPost } from "./target.ts";

const MANY = 1_000_000;
const REFUSED = { kind: "refused", status: 403, code: "98765", message: "An undocumented refusal." };

interface ShownAccount {
  readonly provider: string;
  readonly name: string;
  readonly accountId: string;
  readonly tester: boolean;
}

export function openSimulator(url: string): ProviderDriver {
  const control = `${url}/__sim`;
  const account = (provider: Provider, name: string) => `${control}/accounts/${PROVIDER_FACTS[provider].slug}/${name}`;
  const accountsOf = async (provider: Provider) => {
    const { accounts } = await requestJson<{ accounts: readonly ShownAccount[] }>(`${control}/accounts`, "GET");
    return accounts.filter((one) => one.provider === PROVIDER_FACTS[provider].slug);
  };
  const postsOf = async (provider: Provider, name: string) =>
    (await requestJson<{ posts: ProviderPost[] }>(`${account(provider, name)}/posts`, "GET")).posts;
  const send = <Told>(provider: Provider, name: string, what: string, body: object) =>
    requestJson<Told>(`${account(provider, name)}/${what}`, "POST", body);
  return {
    consent,
    testers: async () => {
      const lists = PROVIDERS.map(async (provider) =>
        (await accountsOf(provider)).flatMap(({ tester, name, accountId }) =>
          tester ? [{ provider, account: name, accountId }] : [],
        ),
      );
      return (await Promise.all(lists)).flat();
    },
    catchUp: async (now) => {
      for (const provider of PROVIDERS) {
        const { forms } = PROVIDER_FACTS[provider];
        for (const { name } of await accountsOf(provider)) {
          const missing = await missingPosts(name, () => postsOf(provider, name), now);
          for (const [index, post] of missing.entries()) {
            const text = `Caught up, number ${index}.`;
            await send(provider, name, "posts", { ...post, form: forms[index % forms.length], text });
          }
        }
      }
    },
    accountId: async (provider, name) => (await requestJson<ShownAccount>(account(provider, name), "GET")).accountId,
    posts: postsOf,
    publish: (provider, name, post = {}) => send(provider, name, "posts", post),
    setVisibility: (provider, name, postId, visibility) => send(provider, name, `posts/${postId}`, { visibility }),
    endGrants: (provider, name) => send(provider, name, "end-grant", {}),
    removeApp: (provider, name, at) => send(provider, name, "remove-app", { at }),
    requestDeletion: async (provider, name, at) => {
      type Told = { readonly requests: readonly { readonly status: number | null; readonly body: string | null }[] };
      const [told] = (await send<Told>(provider, name, "request-deletion", { at })).requests;
      if (told?.status !== 200 || told.body === null) return null;
      const { url, confirmation_code: confirmationCode } = JSON.parse(told.body) as Record<string, string>;
      return url === undefined || confirmationCode === undefined ? null : { url, confirmationCode };
    },
    faultsLeft: async (provider, name) => {
      type Fault = { readonly provider: string; readonly account?: string; readonly remaining: number };
      const { faults } = await requestJson<{ faults: readonly Fault[] }>(`${control}/faults`, "GET");
      const { slug } = PROVIDER_FACTS[provider];
      const ofAccount = faults.filter((fault) => fault.provider === slug && fault.account === name);
      return ofAccount.reduce((sum, { remaining }) => sum + remaining, 0);
    },
    fault: async (provider, call, fault, { account, count = MANY } = {}) => {
      // One rule for all endpoints of the call: the failing calls are counted together.
      const { slug, endpoints } = PROVIDER_FACTS[provider];
      const endpoint = call === "any" ? "*" : endpoints[call];
      const rule = { provider: slug, endpoint, fault: fault.kind === "refused" ? REFUSED : fault, count, account };
      const { id } = await requestJson<{ id: string }>(`${control}/faults`, "POST", rule);
      return async () => {
        // A fault that has failed as often as requested is already removed.
        await fetch(`${control}/faults/${id}`, { method: "DELETE", signal: deadline() });
      };
    },
  };
}

/** A request without a response fails its case, and the clock moves on for the others. */
function deadline(): AbortSignal {
  return AbortSignal.timeout(30_000);
}

async function consent(authorizationUrl: string, choice: ConsentChoice): Promise<URL> {
  const headers = { accept: "application/json" };
  const shown = await fetch(authorizationUrl, { headers, redirect: "manual", signal: deadline() });
  const direct = shown.headers.get("location");
  // Some refusals redirect to the application without a page.
  if (direct !== null) return new URL(direct, authorizationUrl);
  if (!shown.ok) throw new Error(`No consent page but status ${shown.status}.`);
  const { request, action, scopes } = (await shown.json()) as { request: string; action: string; scopes: string[] };
  const { account, decision = "allow" } = choice;
  const form = new URLSearchParams({ request, account, decision });
  for (const scope of choice.scopes?.(scopes) ?? scopes) form.append("scope", scope);
  const answer = await fetch(action, { method: "POST", body: form, redirect: "manual", signal: deadline() });
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`The consent was rejected: status ${answer.status}`);
  return new URL(location);
}

const MAX_STEPS = 10;

/** The simulator's OpenID provider, by its sign-in form; its faults are set at the control endpoint. */
export function openIssuer(issuerUrl: string, simulatorUrl: string): IdentityDriver {
  return {
    issuer: issuerUrl,
    setFaults: (faults) => requestJson(`${simulatorUrl}/__sim/issuer/faults`, "POST", { faults }),
    signIn: async (authorizationUrl, { person, decision = "allow" }) => {
      const browser = new Browser();
      let address = new URL(authorizationUrl);
      let visit = await browser.get(address);
      for (let step = 0; step < MAX_STEPS; step += 1) {
        if (visit.location !== null) {
          address = visit.location;
          if (address.origin !== new URL(issuerUrl).origin) return address;
          visit = await browser.get(address);
        } else {
          if (visit.status !== 200) throw new Error(`The sign-in ended with status ${visit.status}.`);
          visit = await browser.post(address.href, { person, decision }, null);
        }
      }
      throw new Error("The sign-in did not finish.");
    },
  };
}

/** The clock endpoint of a development environment: `GET /` returns the time, `POST /advance` moves it. */
export function openClockControl(url: string): ClockDriver {
  return {
    now: async () => new Date((await requestJson<{ now: string }>(url, "GET")).now),
    advance: (milliseconds) => requestJson(`${url}/advance`, "POST", { advanceMs: Math.ceil(milliseconds) }),
  };
}

const HOUR_MS = 3_600_000;
/** No case reads further back for accounts with many posts. */
const CAUGHT_UP_MS = 62 * 24 * HOUR_MS;
/** Hours between two posts; others publish about daily. */
const BUSY: Readonly<Record<string, number>> = { "thousand-posts": 2, "list-lost-once": 2 };
/** Their posts are their own and created once, or they have none. */
const NOT_CAUGHT_UP = new Set([
  "cursor-returns",
  "cursor-rejected",
  "cursor-stuck",
  "list-lost",
  "repeated-posts",
  "hostile-text",
  "ten-thousand-posts",
  "many-uploads",
  "burst",
  "empty",
  "no-channel",
]);

/** What an account would have published since its newest post, on a target whose clock was moved. */
export async function missingPosts(name: string, postsOf: () => Promise<readonly ProviderPost[]>, now: Date) {
  if (NOT_CAUGHT_UP.has(name)) return [];
  const posts = await postsOf();
  const newestMs = Math.max(...posts.map((post) => Date.parse(post.publishedAt)));
  const gapMs = (BUSY[name] ?? 20) * HOUR_MS;
  if (posts.length === 0 || now.getTime() - newestMs < gapMs + 6 * HOUR_MS) return [];
  const firstMs = Math.max(newestMs + gapMs, now.getTime() - CAUGHT_UP_MS);
  const count = Math.max(0, Math.ceil((now.getTime() - HOUR_MS - firstMs) / gapMs));
  return Array.from({ length: count }, (_, index) => {
    const atMs = Math.floor((firstMs + index * gapMs) / 1_000) * 1_000;
    return { publishedAt: new Date(atMs).toISOString(), title: `Post ${index}` };
  });
}
