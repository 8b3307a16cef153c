import { createHash, randomBytes } from "node:crypto";
import type { Visibility } from "@social-connect/provider-fixtures";
import { type ConsentChoice, giveConsent } from "../drive/drive.ts";
import { simulatorRegistration } from "../registration.ts";
import { byProvider, type ProviderKey, type SimulatorClient } from "../shared/providerKeys.ts";
import { type SimulatorOptions, startSimulator } from "../startSimulator.ts";
import type { TestCall } from "./testWire.ts";
import { TEST_WIRES } from "./testWires.ts";

export const REDIRECT_URI = "http://127.0.0.1:65000/callback";
export const OTHER_REDIRECT_URI = "http://127.0.0.1:65000/other";
export const CLIENT = {
  clientId: "test-client",
  clientSecret: "test-client-secret",
  name: "Test & Application",
  redirectUris: [REDIRECT_URI, OTHER_REDIRECT_URI],
} as const satisfies SimulatorClient;
const OTHER_CLIENT: SimulatorClient = { ...CLIENT, clientId: "other-client", clientSecret: "other-secret" };
export const STARTED_AT = new Date("2026-06-15T12:00:00.000Z");

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The value at a path of the body such as `items.0.id`, or `items.*.id` for all items; undefined if absent. */
  at(path: string): unknown;
}

export interface ShownPost {
  readonly id: string;
  readonly title: string | null;
  readonly form: string;
  readonly visibility: Visibility;
  readonly publishedAt: string;
}

export type TestSimulator = Awaited<ReturnType<typeof startTestSimulator>>;
export type Connected = Awaited<ReturnType<TestSimulator["connect"]>>;
type Fields = Readonly<Record<string, string | null>>;

/** Starts a simulator on free ports with a clock that only tests advance. */
export async function startTestSimulator(options: Partial<SimulatorOptions> = {}) {
  let nowMs = STARTED_AT.getTime();
  const clock = {
    now: () => new Date(nowMs),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
  const clients = [CLIENT, OTHER_CLIENT];
  const running = await startSimulator({
    port: 0,
    issuerPort: 0,
    clock,
    clients: byProvider(() => clients),
    issuerClients: [],
    ...options,
  });
  const registration = (provider: ProviderKey) => simulatorRegistration(running.providerUrls, provider, CLIENT);

  const authorizationUrl = (provider: ProviderKey, parameters: Fields = {}) => {
    const { addresses, scopes } = registration(provider);
    const { clientParameter, scopeSeparator, authorizationParameters } = TEST_WIRES[provider];
    const url = new URL(addresses.authorization);
    const all: Fields = {
      [clientParameter]: CLIENT.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      state: "the-state",
      scope: [...new Set(Object.values(scopes).flat())].join(scopeSeparator),
      ...authorizationParameters,
      ...parameters,
    };
    for (const [name, value] of Object.entries(all)) if (value !== null) url.searchParams.set(name, value);
    return url;
  };

  const consent = async (provider: ProviderKey, choice: ConsentChoice, parameters: Fields = {}) => {
    const codeVerifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256")
      .update(codeVerifier)
      .digest(TEST_WIRES[provider].challengeEncoding ?? "base64url");
    const url = authorizationUrl(provider, { code_challenge: challenge, code_challenge_method: "S256", ...parameters });
    return { provider, callback: await giveConsent(url, choice), codeVerifier };
  };

  const post = (address: string, fields: Fields): Promise<TestResponse> => {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) if (value !== null) body.set(name, value);
    return call(address, { method: "POST", body });
  };
  const credentials = (provider: ProviderKey) => ({
    [TEST_WIRES[provider].clientParameter]: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
  });

  const exchange = ({ provider, callback, codeVerifier }: Awaited<ReturnType<typeof consent>>, fields: Fields = {}) =>
    post(registration(provider).addresses.token, {
      ...credentials(provider),
      grant_type: "authorization_code",
      code: callback.searchParams.get("code"),
      redirect_uri: REDIRECT_URI,
      ...(TEST_WIRES[provider].challengeEncoding !== null && { code_verifier: codeVerifier }),
      ...fields,
    });

  const control = (method: string, path: string, body?: unknown) =>
    call(`${running.simulatorUrl}/__sim${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });

  return {
    ...running,
    clock,
    call,
    registration,
    authorizationUrl,
    consent,
    exchange,
    /** Takes a refresh token, or an access token at providers without refresh tokens. */
    refresh: (provider: ProviderKey, token: string) => {
      const { addresses } = registration(provider);
      const { renewalUrl } = TEST_WIRES[provider];
      if (renewalUrl !== undefined) return call(renewalUrl(addresses.api, token));
      const fields = { grant_type: "refresh_token", refresh_token: token };
      return post(addresses.token, { ...credentials(provider), ...fields });
    },
    /** Consents and exchanges the code, at some providers also for a long-lived token. */
    connect: async (provider: ProviderKey, account: string, scopes?: readonly string[]) => {
      const { api, revocation } = registration(provider).addresses;
      const exchanged = await exchange(await consent(provider, { account, ...(scopes !== undefined && { scopes }) }));
      let accessToken = String(exchanged.at("data.0.access_token") ?? exchanged.at("access_token"));
      const { tokenExchangeUrl } = TEST_WIRES[provider];
      if (tokenExchangeUrl !== undefined) {
        const longLived = await call(tokenExchangeUrl(api, accessToken, CLIENT.clientSecret));
        accessToken = String(longLived.at("access_token"));
      }
      const send = ({ path, body }: TestCall) => call(api + path, requestInit(accessToken, body));
      return {
        accessToken,
        refreshToken: String(exchanged.at("refresh_token")),
        send,
        get: (path: string) => send({ path }),
        post: (path: string, body: unknown) => send({ path, body }),
        revoke: (token = accessToken) => post(revocation ?? "", { ...credentials(provider), token }),
      };
    },
    control,
    fault: (rule: { readonly provider: ProviderKey; readonly fault: object } & Record<string, unknown>) =>
      control("POST", "/faults", rule),
    posts: async (provider: ProviderKey, account: string, visibility?: Visibility) => {
      const all = (await control("GET", `/accounts/${provider}/${account}/posts`)).at("posts") as readonly ShownPost[];
      return visibility === undefined ? all : all.filter((post) => post.visibility === visibility);
    },
  };
}

/** A read with an access token: POST with a body in JSON, otherwise GET. */
export function requestInit(accessToken: string, body: unknown): RequestInit {
  const headers = { authorization: `Bearer ${accessToken}` };
  if (body === undefined) return { headers };
  return {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

async function call(address: string, init: RequestInit = {}): Promise<TestResponse> {
  const response = await fetch(address, { redirect: "manual", ...init });
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, at: (path) => valueAt(body, path.split(".")) };
}

function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step === "*") return Array.isArray(value) ? value.map((element) => valueAt(element, rest)) : undefined;
  return typeof value === "object" && value !== null ? valueAt(Reflect.get(value, step), rest) : undefined;
}
