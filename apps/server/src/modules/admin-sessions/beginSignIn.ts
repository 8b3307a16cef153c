import { addMs, maxAuthenticationAgeSeconds, SIGN_IN_LIFETIME_MS } from "@social-connect/domain";
import type { Configuration } from "openid-client";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import type { SessionActor } from "../admin/actor.ts";
import { discoverIssuer } from "../openid/openIdProvider.ts";
import { authorizationUrl, newExchangeSecrets } from "../openid/signInAtIssuer.ts";
import type { IssuerAccess, Service } from "../service.ts";

export interface SignInRequest {
  /** The session to confirm; null for a sign-in. */
  readonly session: SessionActor | null;
  readonly returnPath: string;
  /** Lets the admin choose an account: without, an issuer signs in the account that it remembers. */
  readonly isOtherAccount?: boolean;
}

export function signInBinding(signInId: string): string {
  return `admin_sign_in/${signInId}/exchange`;
}

export function panelRedirectUri({ adminHost }: Pick<Service, "adminHost">): string {
  return `${adminHost}/panel/callback`;
}

/**
 * Redirects an admin to the issuer: to sign in or, with a session, to confirm their identity. Code flow with PKCE,
 * nonce and state (OpenID Connect Core 3.1); `max_age` makes the issuer report the time of the last authentication
 * (`auth_time`). `browserSecret` is for the cookie that binds the callback to this browser. null when there is no issuer, or it does not respond.
 */
export async function beginSignIn(service: Service, { session, returnPath, isOtherAccount = false }: SignInRequest) {
  const { issuer } = service;
  const configuration = issuer && (await discoverTogether(issuer).catch((error: unknown) => warn(service, error)));
  if (!issuer || !configuration) return null;
  const now = await service.clock.now();
  const [id, state, browserSecret] = [newId(), newSecretHex(), new Secret(newSecretHex())];
  const secrets = newExchangeSecrets();
  await service.prisma.adminSignIn.create({
    data: {
      id,
      sessionId: session?.sessionId ?? null,
      stateHash: sha256(state),
      browserHash: sha256(browserSecret.reveal()),
      exchangeSealed: service.secretBox.seal(JSON.stringify(secrets), signInBinding(id)),
      returnPath,
      expiresAt: addMs(now, SIGN_IN_LIFETIME_MS),
    },
  });
  const location = await authorizationUrl(issuer, configuration, {
    redirectUri: panelRedirectUri(service),
    scopes: ["email"],
    state,
    secrets,
    parameters: {
      max_age: String(maxAuthenticationAgeSeconds(session !== null)),
      ...(session === null ? {} : { prompt: "login", login_hint: session.email }),
      ...(isOtherAccount && { prompt: accountPrompt(configuration) }),
    },
  });
  return { location, signInId: id, browserSecret };
}

/** An issuer may refuse a prompt that it does not list (OpenID Connect Prompt Create 1.0, 4.1). */
function accountPrompt(configuration: Configuration): string {
  const { prompt_values_supported: supported } = configuration.serverMetadata();
  return Array.isArray(supported) && !supported.includes("select_account") ? "login" : "select_account";
}

const underWay = new WeakMap<IssuerAccess, Promise<Configuration>>();

/** Sign-in is public, so concurrent sign-ins share one discovery request. */
function discoverTogether(issuer: IssuerAccess): Promise<Configuration> {
  const asked = underWay.get(issuer) ?? discoverIssuer(issuer).finally(() => underWay.delete(issuer));
  underWay.set(issuer, asked);
  return asked;
}

function warn(service: Service, error: unknown): null {
  service.logger.warn({ err: error }, "identity provider discovery failed");
  return null;
}
