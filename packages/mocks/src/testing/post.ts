import type { ConsumerMock } from "../mock/consumerMock.ts";

export async function openPage(fetch: typeof globalThis.fetch, url: string) {
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

export interface Answer<Data = Readonly<Record<string, unknown>>> {
  readonly data: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly reason?: string; readonly retryAfterSeconds?: number };
  }[];
}

export function post(
  mock: ConsumerMock,
  query: string,
  variables: object = {},
  options: { readonly key?: string; readonly fetch?: typeof globalThis.fetch; readonly url?: string } = {},
): Promise<Response> {
  const { key = mock.key, fetch = mock.fetch, url = `${mock.baseUrl}/graphql` } = options;
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
}

export async function ask<Data = Readonly<Record<string, unknown>>>(
  ...args: Parameters<typeof post>
): Promise<Answer<Data>> {
  return (await (await post(...args)).json()) as Answer<Data>;
}

/** Asks the admin API, by default with the key that may write. */
export function askAdminApi(mock: ConsumerMock, query: string, key = mock.admin.writeKey): Promise<Answer> {
  return ask(mock, query, {}, { key, url: `${mock.admin.host}/api/admin/graphql` });
}

export const CONNECT =
  "mutation Connect($input: ConnectInput!) { createConnectSession(input: $input) { id launchToken } }";

export function connectInput({ scope, returnUrl }: ConsumerMock, overrides: object = {}) {
  return { input: { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl, ...overrides } };
}
