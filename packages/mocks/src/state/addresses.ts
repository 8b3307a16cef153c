import type { SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { Settings } from "./settings.ts";
import type { Registration } from "./state.ts";

/** Everything that is the mock's own, and no part of the service, lies under this path. */
export const MOCK_PATH = "/__mock";

/** `PROVIDER_A` as it stands in an address: `provider-a`. */
export function providerSlug(provider: SocialProvider): string {
  return provider.toLowerCase().replace("_", "-");
}

export function providerOfSlug(slug: string): SocialProvider | null {
  return SOCIAL_PROVIDERS.find((provider) => providerSlug(provider) === slug) ?? null;
}

/** What a provider's callback may name as its issuer (RFC 9207). */
export function providerIssuer(settings: Pick<Settings, "connectHost">, provider: SocialProvider): string {
  return `${settings.connectHost}${MOCK_PATH}/providers/${providerSlug(provider)}`;
}

/** Where a provider of the mock would be called, if anything were. */
export function mockAddresses(issuer: string, canRevoke: boolean): Registration["addresses"] {
  return {
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    revocation: canRevoke ? `${issuer}/revoke` : null,
    api: `${issuer}/api`,
    issuer,
  };
}

export function providerCallback(settings: Settings, provider: SocialProvider): string {
  return `${settings.connectHost}/api/connect/callback/${providerSlug(provider)}`;
}

/** Where the browser is sent for consent: a page of the mock that stands for the provider's. */
export function authorizationUrl(
  settings: Settings,
  provider: SocialProvider,
  request: { readonly state: string; readonly scopes: readonly string[]; readonly codeChallenge: string | null },
): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "social-connect",
    redirect_uri: providerCallback(settings, provider),
    scope: request.scopes.join(" "),
    state: request.state,
    ...(request.codeChallenge !== null && {
      code_challenge: request.codeChallenge,
      code_challenge_method: "S256",
    }),
  });
  return `${providerIssuer(settings, provider)}/authorize?${query}`;
}

export function identityCallback(settings: Settings): string {
  return `${settings.connectHost}/api/identity/callback`;
}

export function panelCallback(settings: Settings): string {
  return `${settings.adminHost}/panel/callback`;
}

/** Where the browser is sent to sign in: a page of the mock that stands for the identity provider's. */
export function issuerAuthorizationUrl(
  settings: Settings,
  request: {
    readonly state: string;
    readonly nonce: string;
    readonly codeChallenge: string;
    /** The identity handoff's address by default. */
    readonly redirectUri?: string;
  },
): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "social-connect",
    redirect_uri: request.redirectUri ?? identityCallback(settings),
    scope: "openid email profile",
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.codeChallenge,
    code_challenge_method: "S256",
  });
  return `${settings.issuerUrl}/authorize?${query}`;
}
