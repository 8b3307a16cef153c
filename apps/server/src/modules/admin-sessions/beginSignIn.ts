import { addMs, maxAuthenticationAgeSeconds, SIGN_IN_LIFETIME_MS } from "@social-connect/domain";
import type { Configuration } from "openid-client";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import type { SessionActor } from "../admin/actor.ts";
import { discoverIssuer } from "../openid/openIdProvider.ts";
import { isPromptRefused } from "../openid/refusedPrompts.ts";
import { authorizationUrl, type ExchangeSecrets, newExchangeSecrets } from "../openid/signInAtIssuer.ts";
import type { IssuerAccess, Service } from "../service.ts";

/** `prompt` is that of the request. */
export type SignInSecrets = ExchangeSecrets & { readonly prompt: string | null };

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
  const wanted = promptOf(configuration, { isConfirmation: session !== null, isOtherAccount });
  const prompt = wanted !== null && (await isPromptRefused(service, issuer, wanted, now)) ? null : wanted;
  const secrets: SignInSecrets = { ...newExchangeSecrets(), prompt };
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
      ...(session !== null && { login_hint: session.email }),
      ...(prompt !== null && { prompt }),
    },
  });
  return { location, signInId: id, browserSecret };
}

/**
 * `login` for a confirmation, `select_account` for another account, or `login` where that is not listed: an issuer may refuse a
 * prompt that it does not list (OpenID Connect Prompt Create 1.0, 4.1). null for a prompt that it does not list. A confirmation
 * is not weaker without: `max_age` and `auth_time` prove the sign-in.
 */
function promptOf(
  configuration: Configuration,
  { isConfirmation, isOtherAccount }: { readonly isConfirmation: boolean; readonly isOtherAccount: boolean },
): string | null {
  const { prompt_values_supported: supported } = configuration.serverMetadata();
  const wanted = isOtherAccount ? ["select_account", "login"] : isConfirmation ? ["login"] : [];
  return wanted.find((one) => !Array.isArray(supported) || supported.includes(one)) ?? null;
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
