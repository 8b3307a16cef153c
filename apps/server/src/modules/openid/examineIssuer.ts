import type { Configuration, ServerMetadata } from "openid-client";
import * as openId from "openid-client";
import { newSecretHex } from "../../platform/ids.ts";
import { createEgress, EgressError } from "../../platform/network/egress.ts";
import type { IssuerAccess } from "../service.ts";
import { authenticationMethodsOf, UnsupportedIssuerError } from "./issuerMetadata.ts";
import { discoverIssuer, IssuerNameError, isClientAccepted, issuerFailure } from "./openIdProvider.ts";
import { authorizationUrl, newExchangeSecrets } from "./signInAtIssuer.ts";

export interface IssuerProblem {
  readonly problem: string;
  readonly remedy: string;
  /** Sign-ins work, but some without what they are for. */
  readonly isWarning?: true;
}

/** Calls the issuer as sign-ins do, up to the person's own part. */
export async function examineIssuer(issuer: IssuerAccess, redirectUris: readonly string[]) {
  const found = (problem: IssuerProblem) => ({ problem, unlistedClaims: [] });
  try {
    const configuration = await discoverIssuer(issuer);
    const metadata = configuration.serverMetadata();
    const refusal =
      endpointProblem(metadata) ??
      (await keysProblem(configuration)) ??
      (await clientProblem(issuer, configuration, redirectUris[0]));
    if (refusal !== null) return found(refusal);
    for (const redirectUri of redirectUris) {
      const problem = await authorizationProblem(issuer, configuration, redirectUri);
      if (problem !== null) return found(problem);
    }
    const claims = metadata.claims_supported;
    const unlisted = claims === undefined ? [] : ADMIN_CLAIMS.filter((name) => !claims.includes(name));
    return { problem: emailProblem(metadata, claims), unlistedClaims: unlisted };
  } catch (error) {
    return found(describe(error));
  }
}

const ADMIN_CLAIMS = ["email", "email_verified", "auth_time"];

function describe(error: unknown): IssuerProblem {
  if (error instanceof UnsupportedIssuerError) return error;
  if (error instanceof IssuerNameError) return nameProblem(error.issuer);
  const problem = `it does not respond as an OpenID provider: ${reasonOf(error)}`;
  return { problem, remedy: "Check ISSUER_URL and the network" };
}

function nameProblem(issuer: string): IssuerProblem {
  const problem = "its metadata names another issuer";
  // Anything else is not repeated: it is text of the response.
  if (!/^https?:\/\/[\w.~:/{}[\]%@!$&'()*+,;=-]{1,300}$/.test(issuer)) {
    return { problem, remedy: "Set ISSUER_URL to the issuer of that metadata" };
  }
  return issuer.includes("{")
    ? { problem: `${problem}: ${issuer}, of any tenant`, remedy: "Set ISSUER_URL to the issuer of one tenant" }
    : { problem: `${problem}: ${issuer}`, remedy: `Set ISSUER_URL to exactly ${issuer}` };
}

/** The failure of the call, which names at most the origin, or else the library's code. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return cause.message;
    if (cause.cause instanceof Response && cause.cause.status !== 200) {
      return `its metadata has the status ${cause.cause.status}`;
    }
  }
  const failure = issuerFailure(error);
  return LIBRARY_CODES[failure] ?? failure;
}

const NOT_JSON = "its metadata is not JSON; the address may be that of a web page";
const LIBRARY_CODES: Readonly<Record<string, string>> = {
  OAUTH_RESPONSE_IS_NOT_JSON: NOT_JSON,
  OAUTH_PARSE_ERROR: NOT_JSON,
  OAUTH_RESPONSE_IS_NOT_CONFORM: "its metadata does not have the status or the form of OpenID Connect Discovery",
  OAUTH_INVALID_RESPONSE: "its metadata does not have the form of OpenID Connect Discovery",
  ERR_INVALID_URL: "its metadata has an address that is not a URL",
};

function endpointProblem(metadata: ServerMetadata): IssuerProblem | null {
  const missing = (["authorization_endpoint", "token_endpoint", "jwks_uri"] as const).find((name) => !metadata[name]);
  return missing === undefined
    ? null
    : { problem: `its metadata has no ${missing}`, remedy: "Use an issuer of OpenID Connect" };
}

async function keysProblem(configuration: Configuration): Promise<IssuerProblem | null> {
  const { jwks_uri = "" } = configuration.serverMetadata();
  const problem = (text: string) => ({ problem: `its keys ${text}`, remedy: "Correct the jwks_uri of the issuer" });
  try {
    const headers = { accept: "application/json" };
    const response = await configuration[openId.customFetch]?.(jwks_uri, {
      method: "GET",
      headers,
      body: undefined,
      redirect: "manual",
    });
    if (response?.status !== 200) return problem(`have the status ${response?.status}`);
    const { keys } = (await response.json()) as { keys?: unknown };
    const isUsable = (key: unknown) => typeof key === "object" && key !== null && Reflect.get(key, "use") !== "enc";
    return Array.isArray(keys) && keys.some(isUsable) ? null : problem("contain none that verifies ID tokens");
  } catch (error) {
    return problem(error instanceof EgressError ? `do not respond: ${error.message}` : "are not JSON");
  }
}

async function clientProblem(
  issuer: IssuerAccess,
  configuration: Configuration,
  redirectUri = "",
): Promise<IssuerProblem | null> {
  try {
    if (await isClientAccepted(issuer, configuration, redirectUri)) return null;
  } catch (error) {
    return {
      problem: `its token endpoint does not respond as one: ${reasonOf(error)}`,
      remedy: "Check the issuer and the network",
    };
  }
  const methods = authenticationMethodsOf(configuration.serverMetadata()).join(" and ");
  return {
    problem: `it refuses the client ${JSON.stringify(issuer.clientId)} or its secret`,
    remedy: `Correct ISSUER_CLIENT_ID and ISSUER_CLIENT_SECRET, and let the client authenticate with ${methods}`,
  };
}

/** Errors of a request that must not show a page, because of `prompt=none` (OpenID Connect Core 3.1.2.6). */
const AUTHORIZATION_ERRORS: Readonly<Record<string, readonly [string, string]>> = {
  invalid_scope: ["refuses the scopes openid, email and profile", "Let the client use these scopes at the issuer"],
  unauthorized_client: [
    "does not let the client use the authorization code flow",
    "Enable the grant type authorization_code for the client",
  ],
  unsupported_response_type: [
    "does not let the client use the authorization code flow",
    "Enable the response type code for the client",
  ],
};

/** An issuer must not redirect to a URL that is not registered, so it shows an error page (RFC 6749 4.1.2.1). */
async function authorizationProblem(
  issuer: IssuerAccess,
  configuration: Configuration,
  redirectUri: string,
): Promise<IssuerProblem | null> {
  const state = newSecretHex();
  const scopes = ["email", "profile"];
  const secrets = newExchangeSecrets();
  const parameters = { prompt: "none" };
  const url = await authorizationUrl(issuer, configuration, { redirectUri, scopes, state, secrets, parameters });
  const page = await requestPage(url, redirectUri);
  const isRefused = page.status >= 400 && page.status < 500 && page.status !== TOO_MANY_REQUESTS;
  if (isRefused && !page.returns) {
    return {
      problem: `it refuses a sign-in that returns to ${redirectUri} (HTTP ${page.status})`,
      remedy: "Register this redirect URL for the client at the issuer",
    };
  }
  const [problem, remedy] = AUTHORIZATION_ERRORS[page.error ?? ""] ?? [];
  return problem === undefined || remedy === undefined ? null : { problem: `it ${problem}`, remedy };
}

const TOO_MANY_REQUESTS = 429;

/** The issuer's response, by redirect or by form. Redirects are read and not followed. */
async function requestPage(
  url: URL,
  redirectUri: string,
): Promise<{ readonly status: number; readonly returns: boolean; readonly error: string | null }> {
  let location: string | null = null;
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    location = response.headers.get("location");
    return response;
  };
  try {
    const request = createEgress({ allowedOrigins: [url.origin], maxBytes: 1_048_576, fetch: send });
    const response = await request(url, { headers: { accept: "text/html" } });
    const page = await response.text();
    const [, error = null] = /name="error" value="([a-z_]{1,40})"/.exec(page) ?? [];
    return { status: response.status, returns: page.includes(`action="${redirectUri}"`), error };
  } catch (error) {
    if (!(error instanceof EgressError) || error.failure !== "redirect") throw error;
    const target = URL.parse(location ?? "", url);
    return { status: 303, returns: true, error: target?.searchParams.get("error") ?? null };
  }
}

function emailProblem(metadata: ServerMetadata, claims: readonly string[] | undefined): IssuerProblem | null {
  const isOffered = metadata.scopes_supported?.includes("email") ?? true;
  if (isOffered || claims?.includes("email")) return null;
  return {
    problem: "it offers neither the scope nor the claim email, so no admin can sign in",
    remedy: "Let the issuer add email and email_verified to the ID token",
    isWarning: true,
  };
}
