import type {
  Application,
  IdentityDriver,
  OperatorDriver,
  Provider,
  ProviderDriver,
  ProviderPost,
  StorageDriver,
  Target,
} from "@social-connect/conformance";
import { openAdmin } from "@social-connect/conformance";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { PROVIDER_FIXTURES } from "@social-connect/provider-fixtures";
import type { ProviderFault } from "../control/providerFaultsControl.ts";

export interface MockTargetOptions {
  readonly name: string;
  /** Base address of the mock; its control is below `/__mock/`. */
  readonly baseUrl: string;
  /** How requests reach it. */
  readonly fetch: typeof globalThis.fetch;
  /** A plain socket can be opened to the base address. */
  readonly rawSocket: boolean;
  readonly previewTemplate: string | null;
  /** Time after which a pending request advances the clock; longer for slower transports. */
  readonly patienceMs?: number;
  readonly close: () => Promise<void>;
}

const DEFAULT_PATIENCE_MS = 20;

interface ApplicationView {
  readonly id: string;
  readonly key: string;
  readonly tenantKeys: readonly [string, ...string[]];
  readonly webOrigins: readonly [string, ...string[]];
  readonly returnUrls: readonly [string, ...string[]];
  readonly identityReturnUrls: readonly [string, ...string[]];
}

/** A mock as a target of the conformance suite. The control uses the control API of each transport. */
export async function mockTarget(options: MockTargetOptions): Promise<Target> {
  const { baseUrl, fetch } = options;
  const control = openControl(baseUrl, fetch);
  const step = () => control("POST", "step");
  const own = await control<ApplicationView>("GET", "application");
  const operator = operatorDriver(control, baseUrl);
  const identity = identityDriver(control, baseUrl, fetch);
  const now = async () => new Date((await control<{ now: string }>("GET", "clock")).now);
  const keys = await control<{ readKey: string; writeKey: string }>("GET", "admin");
  const admin = await openAdmin({ adminHost: baseUrl, identity, fetch, person: "admin", ...keys, now });
  return {
    name: options.name,
    fetch: pulling(fetch, options.patienceMs ?? DEFAULT_PATIENCE_MS, async () => {
      const { isWaitedFor } = await control<{ isWaitedFor: boolean }>("GET", "clock");
      if (isWaitedFor) await step();
    }),
    settle: step,
    application: applicationOf(baseUrl, own),
    secondApplication: await operator.createApplication(),
    connectHost: baseUrl,
    clock: { now, advance: (milliseconds) => control("POST", "clock/advance", { by: milliseconds }) },
    provider: providerDriver(control, fetch),
    identity,
    operator,
    admin: admin.driver,
    storage: storageDriver(control),
    previewTemplate: options.previewTemplate,
    rawSocket: options.rawSocket,
    close: options.close,
  };
}

/** The control addresses of a mock. */
export function openControl(baseUrl: string, fetch: typeof globalThis.fetch): Control {
  return async <Answer>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${baseUrl}/__mock/${path}`, {
      method,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`The mock's ${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as Answer;
  };
}

/** What breaks a service's storage is a fault of the operation here; there is nothing else that could break. */
function storageDriver(control: Control): StorageDriver {
  const withFault = async <Result>(operation: string, fault: object, during: () => Promise<Result>) => {
    const { id } = await control<{ id: string }>("POST", "faults", { operation, fault });
    return during().finally(() => control("DELETE", `faults/${id}`));
  };
  return {
    withBrokenContent: (during) => withFault("content", { code: "UPSTREAM_UNAVAILABLE" }, during),
    whileOthersConnect: (_connectionId, during) =>
      withFault("disconnectConnection", { code: "RATE_LIMITED", retryAfterSeconds: 1 }, during),
    whileClientIsBusy: async (clientId, during) => {
      await control("POST", `applications/${clientId}/hold`);
      return during().finally(() => control("POST", `applications/${clientId}/release`));
    },
    forgetClient: (clientId) => control("DELETE", `applications/${clientId}`),
  };
}

export type Control = <Answer = void>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
) => Promise<Answer>;

/** A pending request advances the clock in small steps, because no other caller does. */
function pulling(
  fetch: typeof globalThis.fetch,
  patienceMs: number,
  goOn: () => Promise<void>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = fetch(input, init);
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    const done = answer.then(end, end);
    while (!isDone) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([done, patience]);
      clearTimeout(timer);
      if (!isDone) await goOn();
    }
    return answer;
  };
}

function applicationOf(baseUrl: string, view: ApplicationView): Application {
  return {
    baseUrl,
    key: view.key,
    tenantKeys: view.tenantKeys,
    returnUrl: view.returnUrls[0],
    identityReturnUrl: view.identityReturnUrls[0],
    webOrigin: view.webOrigins[0],
  };
}

const HOUR_MS = 3_600_000;
/** Accounts publish about daily; these more often. */
const GAP_HOURS: Readonly<Record<string, number>> = { "thousand-posts": 2 };
/** What these publish is their own, and made once. */
const LEFT_ALONE = ["hostile-text", "ten-thousand-posts", "empty", "no-channel"];
const CAUGHT_UP_HOURS = 62 * 24;

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
        for (const { name } of await namesOf(provider)) {
          if (!LEFT_ALONE.includes(name)) await catchUp(control, provider, name, await postsOf(provider, name), now);
        }
      }
    },
    consent: (authorizationUrl, choice) => consent(fetch, authorizationUrl, choice),
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
    faultsLeft: async (provider, account) => {
      const faults = await control<readonly ProviderFault[]>("GET", "provider-faults");
      const ofAccount = faults.filter((fault) => fault.provider === provider && fault.account === account);
      return ofAccount.reduce((sum, { left }) => sum + (left ?? 0), 0);
    },
    fault: async (provider, call, fault, { account, count: times } = {}) => {
      const scope = { account, times };
      const how =
        fault.kind === "delay"
          ? { delay: fault.delayMs }
          : {
              ...(fault.kind === "status" ? { status: fault.status } : { failure: "rate_limited" }),
              retryAfterSeconds: fault.retryAfterSeconds,
            };
      const { id } = await control<{ id: string }>("POST", "provider-faults", { provider, call, ...how, ...scope });
      return () => control("DELETE", `provider-faults/${id}`);
    },
  };
}

async function catchUp(
  control: Control,
  provider: Provider,
  name: string,
  posts: readonly ProviderPost[],
  now: Date,
): Promise<void> {
  const newestMs = Math.max(...posts.map((post) => Date.parse(post.publishedAt)));
  const gapMs = (GAP_HOURS[name] ?? 20) * HOUR_MS;
  if (posts.length === 0 || now.getTime() - newestMs < gapMs + 6 * HOUR_MS) return;
  const forms = PROVIDER_FIXTURES[provider].forms.map(([form]) => form);
  const fromMs = Math.max(newestMs + gapMs, now.getTime() - CAUGHT_UP_HOURS * HOUR_MS);
  for (let atMs = fromMs, index = 0; atMs < now.getTime() - HOUR_MS; atMs += gapMs, index += 1) {
    const publishedAt = new Date(atMs).toISOString();
    await control("POST", `accounts/${provider}/${name}/posts`, {
      publishedAt,
      title: `Post ${index}`,
      form: forms[index % forms.length],
    });
  }
}

async function consent(
  fetch: typeof globalThis.fetch,
  authorizationUrl: string,
  choice: Parameters<ProviderDriver["consent"]>[1],
): Promise<URL> {
  const page = await openPage(fetch, authorizationUrl);
  const form = new URLSearchParams({
    state: page.state,
    requested: page.scopes.join(" "),
    account: choice.account,
    decision: choice.decision ?? "allow",
  });
  for (const scope of choice.scopes?.(page.scopes) ?? page.scopes) form.append("scope", scope);
  return page.decide(form);
}

export function identityDriver(control: Control, baseUrl: string, fetch: typeof globalThis.fetch): IdentityDriver {
  return {
    issuer: `${baseUrl}/__mock/issuer`,
    signIn: async (authorizationUrl, choice) => {
      const { state, decide } = await openPage(fetch, authorizationUrl);
      const { person, decision = "allow" } = choice;
      return decide(new URLSearchParams({ state, person, decision }));
    },
    setFaults: (faults) => control("POST", "issuer/lies", { lies: faults }),
  };
}

/** A page for a person, of a provider or the issuer. */
async function openPage(fetch: typeof globalThis.fetch, url: string) {
  const shown = await fetch(url, { headers: { accept: "application/json" }, redirect: "manual" });
  if (!shown.ok) throw new Error(`There is no page but status ${shown.status} at ${url}.`);
  const page = (await shown.json()) as { action: string; state: string; scopes: string[] };
  const decide = async (body: URLSearchParams) => {
    const { headers, status } = await fetch(page.action, { method: "POST", body, redirect: "manual" });
    const location = headers.get("location");
    if (location === null) throw new Error(`${page.action} did not take the decision: status ${status}.`);
    return new URL(location);
  };
  return { ...page, decide };
}

function operatorDriver(control: Control, baseUrl: string): OperatorDriver {
  const ids = new Map<string, string>();
  const idOf = async ({ key }: Application): Promise<string> => {
    const known = ids.get(key);
    if (known !== undefined) return known;
    const own = await control<ApplicationView>("GET", "application");
    if (own.key === key) return own.id;
    throw new Error("The operator knows no application with that key.");
  };
  const change = async (application: Application, what: string, body: unknown = {}) => {
    await control("POST", `applications/${await idOf(application)}/${what}`, body);
  };
  return {
    createApplication: async (options = {}) => {
      const view = await control<ApplicationView>("POST", "applications", {
        tenantKeys: ["tenant-one", "tenant-two"],
        ...options,
      });
      ids.set(view.key, view.id);
      return applicationOf(baseUrl, view);
    },
    removeApplication: async (application) => {
      await control("DELETE", `applications/${await idOf(application)}`);
      ids.delete(application.key);
    },
    clientId: idOf,
    setEnabled: (application, enabled) => change(application, enabled ? "enable" : "disable"),
    setPolicy: (application, policy) => change(application, "policy", policy),
    setPreviews: (application, previews) => change(application, "previews", previews),
    addReturnUrl: (application, url) => change(application, "return-urls", { url }),
    issueKey: async (application, options = {}) => {
      const { expiresInDays } = options;
      const body = expiresInDays === undefined ? {} : { expiresIn: `${expiresInDays}d` };
      const { key } = await control<{ key: string }>("POST", `applications/${await idOf(application)}/keys`, body);
      return key;
    },
    revokeKey: async (application, key) => {
      const [keyId] = key.split(".");
      await control("POST", `applications/${await idOf(application)}/keys/${keyId}/revoke`);
    },
    setRegistrationStatus: async (provider, status) => {
      const verbs = { PUBLISHED: "publish", PAUSED: "pause", DISABLED: "disable" } as const;
      await control("POST", `registrations/${provider}/${verbs[status]}`);
    },
    setServed: (provider, served) => control("POST", `registrations/${provider}/serve`, { served }),
    withCapabilitiesOf: async (provider, others, during) => {
      const path = `registrations/${provider}`;
      const { capabilities } = await control<{ capabilities: readonly string[] }>("GET", path);
      await control("POST", `${path}/capabilities`, { capabilities: others });
      return during().finally(() => control("POST", `${path}/capabilities`, { capabilities }));
    },
    withScopesOf: async (provider, capability, as, during) => {
      const path = (name: string) => `registrations/${provider}/scopes/${name}`;
      const before = await control<unknown>("GET", path(capability));
      await control("POST", path(capability), await control<unknown>("GET", path(as)));
      return during().finally(() => control("POST", path(capability), before));
    },
  };
}
