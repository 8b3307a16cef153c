import { createHash, randomBytes } from "node:crypto";
import type { ConsentChoice } from "../drive/giveConsent.ts";
import { giveConsent } from "../drive/giveConsent.ts";
import type { SimulatorRegistration } from "../registration.ts";
import { simulatorRegistration } from "../registration.ts";
import type { ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import type { RunningSimulator, SimulatorOptions } from "../startSimulator.ts";
import { startSimulator } from "../startSimulator.ts";

export const REDIRECT_URI = "http://127.0.0.1:65000/callback";
export const CLIENT = {
  clientId: "test-client",
  clientSecret: "test-client-secret",
  name: "Test & Application",
  redirectUris: [REDIRECT_URI, "http://127.0.0.1:65000/other"],
} as const satisfies SimulatorClient;
export const OTHER_CLIENT: SimulatorClient = { ...CLIENT, clientId: "other-client", clientSecret: "other-secret" };
export const STARTED_AT = new Date("2026-06-15T12:00:00.000Z");

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The value at a path of the body such as `items.0.id`, or `items.*.id` for all items; undefined if absent. */
  at(path: string): unknown;
}

export interface Consent {
  readonly provider: ProviderKey;
  readonly callback: URL;
  readonly codeVerifier: string;
}

export interface TestSimulator extends RunningSimulator {
  readonly clock: { now(): Date; advance(ms: number): void };
  registration(provider: ProviderKey): SimulatorRegistration;
  authorizationUrl(provider: ProviderKey, parameters?: Record<string, string | null>): URL;
  consent(provider: ProviderKey, choice: ConsentChoice, parameters?: Record<string, string | null>): Promise<Consent>;
  exchange(consent: Consent, fields?: Record<string, string | null>): Promise<TestResponse>;
  refresh(provider: ProviderKey, token: string): Promise<TestResponse>;
  /** Consents and exchanges the code; at provider C also for the long-lived token. */
  connect(provider: ProviderKey, account: string, scopes?: readonly string[]): Promise<Connected>;
  call(address: string, init?: RequestInit): Promise<TestResponse>;
  control(method: string, path: string, body?: unknown): Promise<TestResponse>;
}

export interface Connected {
  readonly accessToken: string;
  readonly refreshToken: string;
  get(path: string): Promise<TestResponse>;
  post(path: string, body: unknown): Promise<TestResponse>;
  revoke(token?: string): Promise<TestResponse>;
}

/** Starts a simulator on free ports with a clock that only tests advance. */
export async function startTestSimulator(options: Partial<SimulatorOptions> = {}): Promise<TestSimulator> {
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
    clients: { "provider-a": clients, "provider-b": clients, "provider-c": clients },
    issuerClients: [],
    ...options,
  });
  const registration = (provider: ProviderKey) => simulatorRegistration(running.providerUrls, provider, CLIENT);
  const clientField = (provider: ProviderKey) => (provider === "provider-b" ? "client_key" : "client_id");

  const authorizationUrl: TestSimulator["authorizationUrl"] = (provider, parameters = {}) => {
    const { addresses, scopes } = registration(provider);
    const separator = provider === "provider-a" ? " " : ",";
    const url = new URL(addresses.authorization);
    const all: Record<string, string | null> = {
      [clientField(provider)]: CLIENT.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      state: "the-state",
      scope: [...new Set(Object.values(scopes).flat())].join(separator),
      ...(provider === "provider-a" && { access_type: "offline" }),
      ...parameters,
    };
    for (const [name, value] of Object.entries(all)) if (value !== null) url.searchParams.set(name, value);
    return url;
  };

  const consent: TestSimulator["consent"] = async (provider, choice, parameters = {}) => {
    const codeVerifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256")
      .update(codeVerifier)
      .digest(provider === "provider-b" ? "hex" : "base64url");
    const url = authorizationUrl(provider, { code_challenge: challenge, code_challenge_method: "S256", ...parameters });
    return { provider, callback: await giveConsent(url, choice), codeVerifier };
  };

  const post = (address: string, fields: Record<string, string | null>): Promise<TestResponse> => {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) if (value !== null) body.set(name, value);
    return call(address, { method: "POST", body });
  };
  const credentials = (provider: ProviderKey) => ({
    [clientField(provider)]: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
  });

  const exchange: TestSimulator["exchange"] = ({ provider, callback, codeVerifier }, fields = {}) =>
    post(registration(provider).addresses.token, {
      ...credentials(provider),
      grant_type: "authorization_code",
      code: callback.searchParams.get("code"),
      redirect_uri: REDIRECT_URI,
      ...(provider !== "provider-c" && { code_verifier: codeVerifier }),
      ...fields,
    });

  return {
    ...running,
    clock,
    call,
    registration,
    authorizationUrl,
    consent,
    exchange,
    refresh: (provider, token) =>
      provider === "provider-c"
        ? call(
            `${registration(provider).addresses.api}/refresh_access_token?grant_type=ig_refresh_token&access_token=${token}`,
          )
        : post(registration(provider).addresses.token, {
            ...credentials(provider),
            grant_type: "refresh_token",
            refresh_token: token,
          }),
    connect: async (provider, account, scopes) => {
      const { api, revocation } = registration(provider).addresses;
      const exchanged = await exchange(await consent(provider, { account, ...(scopes !== undefined && { scopes }) }));
      let accessToken = String(exchanged.at("data.0.access_token") ?? exchanged.at("access_token"));
      if (provider === "provider-c") {
        const secret = CLIENT.clientSecret;
        const longLived = await call(
          `${api}/access_token?grant_type=ig_exchange_token&client_secret=${secret}&access_token=${accessToken}`,
        );
        accessToken = String(longLived.at("access_token"));
      }
      const headers = { authorization: `Bearer ${accessToken}` };
      return {
        accessToken,
        refreshToken: String(exchanged.at("refresh_token")),
        get: (path) => call(api + path, { headers }),
        post: (path, body) =>
          call(api + path, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
        revoke: (token = accessToken) => post(revocation ?? "", { ...credentials(provider), token }),
      };
    },
    control: (method, path, body) =>
      call(`${running.simulatorUrl}/__sim${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
}

async function call(address: string, init: RequestInit = {}): Promise<TestResponse> {
  const response = await fetch(address, { redirect: "manual", ...init });
  const text = await response.text();
  const body = parseJson(text);
  return { status: response.status, headers: response.headers, text, at: (path) => valueAt(body, path.split(".")) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step === "*") return Array.isArray(value) ? value.map((element) => valueAt(element, rest)) : undefined;
  return typeof value === "object" && value !== null ? valueAt(Reflect.get(value, step), rest) : undefined;
}
