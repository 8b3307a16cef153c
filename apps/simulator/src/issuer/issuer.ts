import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { IssuerFault } from "@social-connect/provider-fixtures";
import type { Adapter, AdapterPayload } from "oidc-provider";
import Provider, { type Configuration, interactionPolicy } from "oidc-provider";
import { warn } from "../shared/warn.ts";
import { rewriteIdToken, type SigningKeys } from "./idToken.ts";
import { interactionApp } from "./interaction.ts";
import { behaveAs } from "./profileBehavior.ts";
import type { IssuerProfile } from "./profiles.ts";
import { claimsOf, USERS } from "./users.ts";

export interface IssuerClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name?: string;
  /** Compared byte for byte; http is only accepted on loopback. */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
}

export interface IssuerSettings {
  readonly issuerUrl: string;
  /** The path of its endpoints, without a slash at the end. */
  readonly mount: string;
  /** Which provider it behaves as; null: none in particular. */
  readonly profile: IssuerProfile | null;
  readonly clients: readonly IssuerClient[];
  readonly offsetMs: () => number;
  readonly keys: SigningKeys;
  readonly faults: () => ReadonlySet<IssuerFault>;
  readonly cookieKey: string;
}

/** An OpenID provider: code flow with PKCE, a sign-in page with a choice of users, and faults. */
export function createIssuer(settings: IssuerSettings): RequestListener {
  const { keys, mount, profile } = settings;
  const provider = new Provider(settings.issuerUrl, configuration(settings, keys.publishedJwk));

  // Before the faults, which also apply to its responses.
  const behavior = profile === null ? null : behaveAs(provider, profile);
  provider.on("authorization.success", (_context, out) => {
    if (out !== undefined && settings.faults().has("wrong-response-issuer"))
      out.iss = "https://another-issuer.example.test";
  });
  provider.on("server_error", (_context, error) => warn("Unexpected error in the issuer:", error));
  provider.use(async (context, next) => {
    const { prompt, redirect_uri: redirectUri, state = "" } = context.query;
    if (context.path === "/auth" && settings.faults().has("refused-prompt") && prompt !== undefined) {
      const isRegistered = settings.clients.some(({ redirectUris }) => redirectUris.includes(String(redirectUri)));
      if (isRegistered) {
        const error = new URLSearchParams({ error: "invalid_request", state: String(state) });
        context.redirect(`${redirectUri}?${error}`);
        return;
      }
    }
    const refusal = behavior?.refuse(context) ?? null;
    if (refusal !== null) {
      [context.status, context.body] = refusal;
      return;
    }
    await next();
    behavior?.rewrite(context);
    const faults = settings.faults();
    const body: unknown = context.body;
    if (!isRecord(body)) return;
    if (typeof body.id_token === "string")
      body.id_token = rewriteIdToken(body.id_token, keys, settings.offsetMs(), faults, behavior?.claims(context, body));
    if (context.path === "/.well-known/openid-configuration" && faults.has("wrong-discovery")) {
      context.body = { ...body, issuer: "https://another-issuer.example.test" };
    }
    if (context.path === "/me" && faults.has("wrong-userinfo-subject"))
      context.body = { ...body, sub: "somebody-else" };
  });

  const oidc = provider.callback();
  const pages = getRequestListener(interactionApp(provider, settings.clients).fetch);
  return (request, response) => {
    const { url = "/" } = request;
    // The library builds its URLs from the difference of the two.
    Object.defineProperty(request, "originalUrl", { value: url });
    request.url = url.slice(mount.length) || "/";
    const own = /^\/(?:$|interaction\/|people\/)/.test(request.url);
    void (own ? pages(request, response) : oidc(request, response));
  };
}

const HOUR_SECONDS = 3_600;

function configuration(
  { issuerUrl, mount, profile, clients, cookieKey }: IssuerSettings,
  signingKey: Record<string, unknown>,
): Configuration {
  const origin = new URL(issuerUrl).origin;
  return {
    adapter: memoryAdapter(),
    clients: clients.map((client) => ({
      client_id: client.clientId,
      client_secret: client.clientSecret,
      ...(client.name !== undefined && { client_name: client.name }),
      redirect_uris: [...client.redirectUris],
      post_logout_redirect_uris: [...(client.postLogoutRedirectUris ?? [])],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      require_auth_time: true,
    })),
    clientAuthMethods: ["client_secret_basic", "client_secret_post"],
    jwks: { keys: [signingKey] },
    cookies: { keys: [cookieKey] },
    responseTypes: ["code"],
    pkce: { required: () => profile === null },
    scopes: ["openid", "email", "profile", ...(profile === null ? [] : ["allatclaims"])],
    claims: { openid: ["sub"], email: ["email", "email_verified", "xms_edov"], profile: ["name", "picture"] },
    // Puts the claims into the ID token as well as into UserInfo, like the large issuers.
    conformIdTokenClaims: false,
    findAccount: (_context, subject) => {
      const person = USERS.find((candidate) => candidate.subject === subject);
      return person && { accountId: person.subject, claims: () => claimsOf(person, origin) };
    },
    interactions: {
      url: (_context, interaction) => `${mount}/interaction/${interaction.uid}`,
      policy: [
        new interactionPolicy.Prompt({ name: "select_account", requestable: true }),
        ...interactionPolicy.base(),
      ],
    },
    features: { devInteractions: { enabled: false } },
    ttl: {
      AccessToken: HOUR_SECONDS,
      AuthorizationCode: 60,
      Grant: 24 * HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: 24 * HOUR_SECONDS,
    },
    clientBasedCORS: () => false,
    renderError: (context, out) => {
      context.type = "text/plain";
      context.body = `Request rejected: ${out.error} ${out.error_description ?? ""}\n`;
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

interface Entry {
  payload: AdapterPayload;
  expiresAtMs: number;
}

/** In-memory storage of the OpenID provider, one store per issuer. */
function memoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, Entry>();
  const live = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key);
    // The library uses the system clock, so this does too.
    if (entry !== undefined && entry.expiresAtMs <= Date.now()) entries.delete(key);
    return entries.get(key)?.payload;
  };
  const first = (model: string, matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
    for (const key of entries.keys()) {
      const payload = key.startsWith(`${model} `) ? live(key) : undefined;
      if (payload !== undefined && matches(payload)) return payload;
    }
    return undefined;
  };
  return (model) => ({
    upsert: async (id, payload, expiresInSeconds) => {
      const expiresAtMs =
        typeof expiresInSeconds === "number" ? Date.now() + expiresInSeconds * 1_000 : Number.POSITIVE_INFINITY;
      entries.set(`${model} ${id}`, { payload, expiresAtMs });
    },
    find: async (id) => live(`${model} ${id}`),
    findByUid: async (uid) => first(model, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => first(model, (payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = live(`${model} ${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
    },
    destroy: async (id) => {
      entries.delete(`${model} ${id}`);
    },
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload }] of entries) {
        // Other models keep the grant's id: a sign-in with another account continues after the grant's end.
        if (payload.grantId === grantId && key.startsWith(`${model} `)) entries.delete(key);
      }
    },
  });
}
