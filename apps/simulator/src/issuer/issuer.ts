import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { IssuerFault } from "@social-connect/provider-fixtures";
import type { Configuration } from "oidc-provider";
import Provider from "oidc-provider";
import { loadOrMakeKeys, rewriteIdToken } from "./idToken.ts";
import { interactionApp } from "./interaction.ts";
import type { IssuerClient } from "./issuerClient.ts";
import { checkRedirectUris } from "./issuerClient.ts";
import { memoryAdapter } from "./memoryAdapter.ts";
import { claimsOf, USERS } from "./users.ts";

export interface Issuer {
  readonly listener: RequestListener;
  /** Private signing keys as JSON Web Keys, for the state file. */
  readonly privateKeys: readonly Record<string, unknown>[];
  faults(): readonly IssuerFault[];
  setIssuerFaults(faults: readonly IssuerFault[]): void;
}

export interface IssuerSettings {
  readonly issuerUrl: string;
  readonly clients: readonly IssuerClient[];
  /** The offset of the simulator's clock. */
  readonly offsetMs: () => number;
  readonly privateKeys: readonly Record<string, unknown>[];
  readonly cookieKey: string;
}

/** The OpenID provider: code flow with PKCE, a sign-in page with a choice of users, and faults. */
export async function createIssuer(settings: IssuerSettings): Promise<Issuer> {
  for (const client of settings.clients) checkRedirectUris(client);
  const keys = loadOrMakeKeys(settings.privateKeys);
  let faults: ReadonlySet<IssuerFault> = new Set();
  const provider = new Provider(settings.issuerUrl, configuration(settings, keys.publishedJwk));

  provider.on("authorization.success", (_context, out) => {
    if (out !== undefined && faults.has("wrong-response-issuer")) out.iss = "https://another-issuer.example.test";
  });
  provider.on("server_error", (_context, error) => console.error("Unexpected error in the issuer:", error));
  provider.use(async (context, next) => {
    await next();
    const body: unknown = context.body;
    if (!isRecord(body)) return;
    if (typeof body.id_token === "string")
      body.id_token = rewriteIdToken(body.id_token, keys, settings.offsetMs(), faults);
    if (context.path === "/.well-known/openid-configuration" && faults.has("wrong-discovery")) {
      context.body = { ...body, issuer: "https://another-issuer.example.test" };
    }
    if (context.path === "/me" && faults.has("wrong-userinfo-subject"))
      context.body = { ...body, sub: "somebody-else" };
  });

  const oidc = provider.callback();
  const pages = getRequestListener(interactionApp(provider, settings.clients).fetch);
  return {
    listener: (request, response) => {
      const own = request.url?.startsWith("/interaction/") || request.url?.startsWith("/people/");
      void (own ? pages(request, response) : oidc(request, response));
    },
    privateKeys: [keys.publishedJwk],
    faults: () => [...faults],
    setIssuerFaults: (next) => {
      faults = new Set(next);
    },
  };
}

const HOUR_SECONDS = 3_600;

function configuration(
  { issuerUrl, clients, cookieKey }: IssuerSettings,
  signingKey: Record<string, unknown>,
): Configuration {
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
    pkce: { required: () => true },
    scopes: ["openid", "email", "profile"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    // Puts the claims into the ID token as well as into UserInfo, like the large issuers.
    conformIdTokenClaims: false,
    findAccount: (_context, subject) => {
      const person = USERS.find((candidate) => candidate.subject === subject);
      return person && { accountId: person.subject, claims: () => claimsOf(person, issuerUrl) };
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
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
