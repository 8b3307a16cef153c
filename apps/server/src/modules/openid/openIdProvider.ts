import { isLoopbackHost } from "@social-connect/domain";
import * as openId from "openid-client";
import { createEgress } from "../../platform/network/egress.ts";
import type { IssuerAccess } from "../service.ts";
import {
  type AuthenticationMethod,
  authenticationMethodsOf,
  readableMetadata,
  UnsupportedIssuerError,
  unsupportedBy,
} from "./issuerMetadata.ts";

/** Tolerated clock difference of the issuer in `exp`, `nbf` and `auth_time`. */
const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * Discovers the deployment's issuer. ID token signatures are verified although the token arrives over TLS from the
 * issuer: without that check the library accepts an invalid signature (OpenID Connect Core 3.1.3.7, rule 6). The
 * library uses the machine's clock; `clockSkewSeconds` is how far the service's clock is ahead of it. The issuer's
 * clock may differ by `CLOCK_TOLERANCE_SECONDS`.
 */
export async function discoverIssuer(
  issuer: IssuerAccess,
  { clockSkewSeconds = 0 }: { readonly clockSkewSeconds?: number } = {},
): Promise<openId.Configuration> {
  const metadata = await readMetadata(issuer);
  const unsupported = unsupportedBy(metadata);
  if (unsupported !== null) throw new UnsupportedIssuerError(unsupported);
  const [method = "none"] = methodsToTry(issuer, metadata);
  return configure(issuer, metadata, method, clockSkewSeconds);
}

async function readMetadata(issuer: IssuerAccess): Promise<openId.ServerMetadata> {
  const url = new URL(issuer.url);
  const options = { execute: insecureOnLoopback(url), [openId.customFetch]: callsTo([url.origin]), timeout: 10 };
  const discovered = await openId
    .discovery(url, issuer.clientId, undefined, openId.None(), options)
    .catch((error: unknown) => {
      throw otherNameIn(error) ?? error;
    });
  const metadata = discovered.serverMetadata();
  // The library also accepts URLs that are not the issuer's name, such as that of the metadata.
  if (URL.parse(metadata.issuer)?.href !== url.href) throw new IssuerNameError(metadata.issuer);
  return readableMetadata(metadata);
}

function otherNameIn(error: unknown): IssuerNameError | null {
  if (issuerFailure(error) !== OTHER_NAME) return null;
  const { cause } = error as { cause?: { body?: { issuer?: unknown } } };
  return new IssuerNameError(String(cause?.body?.issuer));
}

function configure(
  issuer: IssuerAccess,
  metadata: openId.ServerMetadata,
  method: AuthenticationMethod,
  clockSkewSeconds: number,
): openId.Configuration {
  const url = new URL(issuer.url);
  const client = { [openId.clockSkew]: clockSkewSeconds, [openId.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const configuration = new openId.Configuration(metadata, issuer.clientId, client, authenticateBy(method, issuer));
  openId.enableNonRepudiationChecks(configuration);
  for (const extend of insecureOnLoopback(url)) extend(configuration);
  configuration.timeout = 10;
  configuration[openId.customFetch] = callsTo(endpointOrigins(metadata, url), metadata.token_endpoint);
  return configuration;
}

function insecureOnLoopback({ hostname }: URL) {
  return isLoopbackHost(hostname) ? [openId.allowInsecureRequests] : [];
}

function authenticateBy(method: AuthenticationMethod, { clientSecret }: IssuerAccess): openId.ClientAuth {
  if (method === "none") return openId.None();
  const secret = clientSecret.reveal();
  if (method === "client_secret_basic") return basic(secret);
  return method === "client_secret_jwt" ? openId.ClientSecretJwt(secret) : openId.ClientSecretPost(secret);
}

/**
 * RFC 6749 2.3.1. The library's own also encodes `-`, `_`, `.` and `~`, which are in most ids and secrets; issuers that do not
 * decode the header would refuse those.
 */
function basic(secret: string): openId.ClientAuth {
  return (_server, client, _body, headers) => {
    const credentials = `${encodeURIComponent(client.client_id)}:${encodeURIComponent(secret)}`;
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  };
}

/** The method that each issuer accepted. */
const accepted = new WeakMap<IssuerAccess, AuthenticationMethod>();

function methodsToTry(issuer: IssuerAccess, metadata: openId.ServerMetadata): readonly AuthenticationMethod[] {
  const methods = authenticationMethodsOf(metadata);
  const known = methods.filter((method) => method === accepted.get(issuer));
  return [...new Set([...known, ...methods])];
}

/** Sends a request to the token endpoint with each method of client authentication, until the issuer accepts the client. */
export async function withAcceptedClient<Answer>(
  issuer: IssuerAccess,
  discovered: openId.Configuration,
  clockSkewSeconds: number,
  request: (configuration: openId.Configuration) => Promise<Answer>,
): Promise<{ readonly configuration: openId.Configuration; readonly answer: Answer }> {
  const metadata = discovered.serverMetadata();
  let refusal: unknown;
  for (const method of methodsToTry(issuer, metadata)) {
    const configuration = configure(issuer, metadata, method, clockSkewSeconds);
    try {
      const answer = await request(configuration);
      accepted.set(issuer, method);
      return { configuration, answer };
    } catch (error) {
      if (!isClientRefusal(error)) {
        if (error instanceof openId.ResponseBodyError) accepted.set(issuer, method);
        throw error;
      }
      refusal = error;
    }
  }
  throw refusal;
}

/** Issuers refuse a client with one of these codes (Keycloak with the second), or with 401 and another code. */
const CLIENT_REFUSALS: readonly string[] = ["invalid_client", "unauthorized_client"];

function isClientRefusal(error: unknown): boolean {
  if (error instanceof openId.WWWAuthenticateChallengeError) return true;
  return error instanceof openId.ResponseBodyError && (CLIENT_REFUSALS.includes(error.error) || error.status === 401);
}

/**
 * Whether the issuer accepts the client id and secret. It authenticates the client before it judges the code (RFC 6749 4.1.3),
 * so a code that was never issued shows it.
 */
export async function isClientAccepted(
  issuer: IssuerAccess,
  configuration: openId.Configuration,
  redirectUri: string,
): Promise<boolean> {
  const parameters = { code: "none", redirect_uri: redirectUri, code_verifier: openId.randomPKCECodeVerifier() };
  try {
    await withAcceptedClient(issuer, configuration, 0, (one) =>
      openId.genericGrantRequest(one, "authorization_code", parameters),
    );
    return true;
  } catch (error) {
    if (isClientRefusal(error)) return false;
    if (error instanceof openId.ResponseBodyError) return true;
    throw error;
  }
}

/** An issuer's keys and metadata take about 10 KB. Larger responses are not parsed and never quoted in an error. */
const MAX_RESPONSE_BYTES = 262_144;

function callsTo(allowedOrigins: readonly string[], tokenEndpoint = ""): openId.CustomFetch {
  const tokenUrl = URL.parse(tokenEndpoint)?.href;
  const egress = createEgress({ allowedOrigins, maxBytes: MAX_RESPONSE_BYTES });
  return async (url, { body, signal, method, headers }) => {
    const sent = { method, headers, ...(body == null ? {} : { body: String(body) }), ...(signal ? { signal } : {}) };
    const response = await egress(url, sent);
    return url === tokenUrl ? usedTokens(response) : response;
  };
}

/**
 * The members of a token response that a sign-in uses: the library rejects the whole response for the type of others, e.g. a
 * `refresh_token` that is null.
 */
async function usedTokens(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return response;
  const { access_token, token_type = "Bearer", id_token } = body as Record<string, unknown>;
  return Response.json({ access_token, token_type, id_token }, { headers: response.headers });
}

/** An issuer may have endpoints on other hosts; only the origins in its metadata are called. */
function endpointOrigins(metadata: openId.ServerMetadata, issuer: URL): string[] {
  const { token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
  const named = [token_endpoint, jwks_uri, userinfo_endpoint].filter((address) => address != null);
  return [...new Set([issuer.origin, ...named.map((address) => new URL(address).origin)])];
}

const OTHER_NAME = "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";

/** The issuer's metadata names another issuer than ISSUER_URL. */
export class IssuerNameError extends Error {
  readonly code = OTHER_NAME;
  /** As the metadata spells it. */
  readonly issuer: string;

  constructor(issuer: string) {
    super("The issuer's metadata names another issuer.");
    this.name = "IssuerNameError";
    this.issuer = issuer;
  }
}

/** The message of the library, which has no code for it. */
const NO_AUTH_TIME = 'JWT "auth_time" (authentication time) claim missing';

/** Why the issuer's response was rejected, as an error name or code of the library; never text of the response. */
export function issuerFailure(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  for (
    let cause: unknown = error.cause;
    typeof cause === "object" && cause !== null;
    cause = Reflect.get(cause, "cause")
  ) {
    if (Reflect.get(cause, "claim") === "auth_time") return "stale auth_time";
    if (Reflect.get(cause, "message") === NO_AUTH_TIME) return "no auth_time";
  }
  return typeof code === "string" && /^[A-Z_]{1,64}$/.test(code) ? code : error.name;
}
