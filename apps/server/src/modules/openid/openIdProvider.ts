import { checkText, foreignName, isLoopbackHost } from "@social-connect/domain";
import * as openId from "openid-client";
import { createEgress } from "../../platform/egress.ts";
import type { IssuerAccess } from "../service.ts";

/** Tolerated clock difference of the issuer in `exp`, `nbf` and `auth_time`. */
const CLOCK_TOLERANCE_SECONDS = 30;

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
  const url = new URL(issuer.url);
  const configuration = await openId.discovery(
    url,
    issuer.clientId,
    { [openId.clockSkew]: clockSkewSeconds, [openId.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    openId.ClientSecretPost(issuer.clientSecret.reveal()),
    {
      execute: [
        openId.enableNonRepudiationChecks,
        ...(isLoopbackHost(url.hostname) ? [openId.allowInsecureRequests] : []),
      ],
      [openId.customFetch]: callsTo([url.origin]),
      timeout: 10,
    },
  );
  configuration[openId.customFetch] = callsTo(endpointOrigins(configuration, url));
  return configuration;
}

/**
 * Whether the issuer accepts the client id and secret. It authenticates the client before it judges the code (RFC 6749 4.1.3),
 * so a code that was never issued shows it. Issuers refuse a client with `invalid_client`, or with 401 and another code.
 */
export async function isClientAccepted(configuration: openId.Configuration, redirectUri: string): Promise<boolean> {
  const parameters = { code: "none", redirect_uri: redirectUri, code_verifier: openId.randomPKCECodeVerifier() };
  try {
    await openId.genericGrantRequest(configuration, "authorization_code", parameters);
    return true;
  } catch (error) {
    if (error instanceof openId.WWWAuthenticateChallengeError) return false;
    if (!(error instanceof openId.ResponseBodyError)) throw error;
    return error.error !== "invalid_client" && error.status !== UNAUTHORIZED;
  }
}

const UNAUTHORIZED = 401;

/** An issuer's keys and metadata take about 10 KB. Larger responses are not parsed and never quoted in an error. */
const MAX_RESPONSE_BYTES = 262_144;

function callsTo(allowedOrigins: readonly string[]): openId.CustomFetch {
  const egress = createEgress({ allowedOrigins, maxBytes: MAX_RESPONSE_BYTES });
  return (url, { body, signal, method, headers }) =>
    egress(url, { method, headers, ...(body == null ? {} : { body: String(body) }), ...(signal ? { signal } : {}) });
}

/** An issuer may have endpoints on other hosts; only the origins in its metadata are called. */
function endpointOrigins(configuration: openId.Configuration, issuer: URL): string[] {
  const { token_endpoint, jwks_uri, userinfo_endpoint } = configuration.serverMetadata();
  const named = [token_endpoint, jwks_uri, userinfo_endpoint].filter((address) => address !== undefined);
  return [...new Set([issuer.origin, ...named.map((address) => new URL(address).origin)])];
}

/** Cleaned, it could become the address of someone else, so anything that cleaning would change is null. */
export function emailClaim(value: unknown): string | null {
  const email = foreignName(value);
  return email === value ? email : null;
}

/** At most 255 characters (OpenID Connect Core 2). It identifies the user, so it is rejected and not cleaned. */
export function isUsableSubject(subject: string): boolean {
  return checkText(subject, "sub", { maxLength: 255 }) === null;
}

export class UnusableSubjectError extends Error {
  constructor() {
    super("The `sub` of the ID token has more than 255 characters, or characters that cannot be stored.");
    this.name = "UnusableSubjectError";
  }
}

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
  }
  return typeof code === "string" && /^[A-Z_]{1,64}$/.test(code) ? code : error.name;
}
