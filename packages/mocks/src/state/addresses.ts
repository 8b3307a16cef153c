import type { SocialProvider } from "@social-connect/contract";
import { providerSlug } from "@social-connect/domain";
import type { Settings } from "./settings.ts";
import type { Registration } from "./state.ts";

/** The path of the mock's control API and of the simulated providers. */
export const MOCK_PATH = "/__mock";
/** The path of the simulated identity provider. */
export const ISSUER_PATH = `${MOCK_PATH}/issuer`;

/** The `iss` of a provider's callback (RFC 9207). */
export function providerIssuer(settings: Pick<Settings, "connectHost">, provider: SocialProvider): string {
  return `${settings.connectHost}${MOCK_PATH}/providers/${providerSlug(provider)}`;
}

/** The addresses of a simulated provider. The mock never calls them. */
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

export function authorizationUrl(
  settings: Settings,
  provider: SocialProvider,
  request: {
    readonly state: string;
    readonly scopes: readonly string[];
    readonly codeChallenge: string | null;
    readonly parameters: Readonly<Record<string, string>>;
  },
): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "social-connect",
    redirect_uri: providerCallback(settings, provider),
    scope: request.scopes.join(" "),
    state: request.state,
    ...request.parameters,
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

export function issuerAuthorizationUrl(
  settings: Settings,
  request: { readonly state: string; readonly nonce: string; readonly codeChallenge: string },
): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "social-connect",
    redirect_uri: identityCallback(settings),
    scope: "openid email profile",
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.codeChallenge,
    code_challenge_method: "S256",
  });
  return `${settings.connectHost}${ISSUER_PATH}/authorize?${query}`;
}
