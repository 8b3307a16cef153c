/**
 * How well-known OpenID providers differ, as data: `issuer.ts` implements all of them. The sources of each are in
 * docs/reference/openid-providers.md.
 */
export interface IssuerProfile {
  /** The product, for pages. */
  readonly label: string;
  /** The end of the issuer's identifier, after the path of its key. */
  readonly path: string;
  /** Members of the metadata; `undefined` removes a member of the implementation. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The method that the client is registered for; null: any. */
  readonly clientAuthentication: "client_secret_basic" | "client_secret_post" | null;
  /** The response to a wrong client, secret or method. */
  readonly clientRefusal: readonly [status: number, error: string];
  readonly idToken: (user: Claims, request: TokenRequest) => Claims;
  /** The response of UserInfo, besides `sub`; null: there is no UserInfo. */
  readonly userInfo: ((user: Claims) => Claims) | null;
  /** Rejects other response modes than `form_post` when names or addresses are requested. */
  readonly requiresFormPost?: true;
  /** Rejects scopes that the metadata does not list. */
  readonly rejectsOtherScopes?: true;
}

export type Claims = Readonly<Record<string, unknown>>;

export interface TokenRequest {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The authorization response was a form. */
  readonly isPosted: boolean;
}

const POST = "client_secret_post";
const BASIC = "client_secret_basic";
const ALL_MODES = ["query", "fragment", "form_post"];
const OTHER_MODES = ["code", "id_token", "code id_token", "id_token token"];

export const ISSUER_PROFILES = {
  "issuer-a": {
    label: "Google",
    path: "",
    metadata: {
      token_endpoint_auth_methods_supported: [POST, BASIC],
      code_challenge_methods_supported: ["plain", "S256"],
      response_modes_supported: undefined,
      scopes_supported: ["openid", "email", "profile"],
      claims_supported: names("aud email email_verified exp family_name given_name iat iss name picture sub"),
    },
    clientAuthentication: null,
    clientRefusal: [401, "invalid_client"],
    // `auth_time` is only there when the project enables session age claims, as it does here.
    idToken: (user, { clientId }) => ({ ...user, azp: clientId, hd: "example.test" }),
    userInfo: (user) => user,
  },
  "issuer-b": {
    label: "Microsoft Entra ID",
    path: "/0f9a1b2c-3d4e-5f60-8192-a3b4c5d6e7f8/v2.0",
    metadata: {
      token_endpoint_auth_methods_supported: [POST, "private_key_jwt", BASIC],
      code_challenge_methods_supported: undefined,
      response_modes_supported: ALL_MODES,
      response_types_supported: OTHER_MODES,
      subject_types_supported: ["pairwise"],
      scopes_supported: ["openid", "profile", "email", "offline_access"],
      claims_supported: names("sub iss aud exp iat auth_time acr nonce preferred_username name tid ver at_hash email"),
      tenant_region_scope: "EU",
    },
    clientAuthentication: null,
    clientRefusal: [401, "invalid_client"],
    // With the optional claims email, xms_edov and auth_time. There is no email_verified. xms_edov is "1" in public reports.
    idToken: ({ email, email_verified, name }) => ({
      ...(email === undefined ? {} : { email, xms_edov: email_verified ? "1" : "0", preferred_username: email }),
      name,
      tid: "0f9a1b2c-3d4e-5f60-8192-a3b4c5d6e7f8",
      ver: "2.0",
    }),
    userInfo: ({ email, name, picture }) => ({ email, name, picture }),
  },
  "issuer-c": {
    label: "AD FS",
    path: "/adfs",
    metadata: {
      token_endpoint_auth_methods_supported: [POST, BASIC, "private_key_jwt", "windows_client_authentication"],
      response_modes_supported: ALL_MODES,
      scopes_supported: ["openid", "email", "profile", "allatclaims", "user_impersonation"],
      claims_supported: names("aud iss iat exp auth_time nonce at_hash c_hash sub upn unique_name pwd_url sid nbf"),
      access_token_issuer: "http://adfs.example.test/adfs/services/trust",
      microsoft_multi_refresh_token: true,
    },
    clientAuthentication: null,
    clientRefusal: [400, "invalid_client"],
    // Claims of issuance rules are text, and only in ID tokens of this scope and response mode.
    idToken: ({ email, email_verified, name }, { scopes, isPosted }) => ({
      upn: "person@corp.example.test",
      ...(scopes.includes("allatclaims") && isPosted
        ? { name, ...(email === undefined ? {} : { email, email_verified: String(email_verified) }) }
        : {}),
    }),
    userInfo: () => ({}),
  },
  "issuer-d": {
    label: "Okta",
    path: "/oauth2/default",
    metadata: {
      token_endpoint_auth_methods_supported: [BASIC, POST, "client_secret_jwt", "private_key_jwt", "none"],
      response_modes_supported: [...ALL_MODES, "okta_post_message"],
      scopes_supported: ["openid", "profile", "email", "address", "phone", "offline_access", "device_sso"],
      claims_supported: names("iss ver sub aud iat exp jti auth_time amr idp nonce name email email_verified"),
    },
    clientAuthentication: BASIC,
    clientRefusal: [401, "invalid_client"],
    // A thin ID token: it comes together with an access token.
    idToken: ({ email, name }) => ({ email, name, preferred_username: email, amr: ["pwd"], ver: 1 }),
    userInfo: (user) => ({ ...user, zoneinfo: "Europe/Berlin" }),
  },
  "issuer-e": {
    label: "Auth0",
    path: "/",
    metadata: {
      token_endpoint_auth_methods_supported: [BASIC, POST, "private_key_jwt"],
      code_challenge_methods_supported: ["S256", "plain"],
      response_modes_supported: ALL_MODES,
      id_token_signing_alg_values_supported: ["HS256", "RS256", "PS256"],
      scopes_supported: ["openid", "profile", "offline_access", "name", "email", "email_verified", "picture"],
      claims_supported: names("aud auth_time created_at email email_verified exp iat iss name nickname picture sub"),
    },
    clientAuthentication: POST,
    clientRefusal: [401, "access_denied"],
    idToken: (user) => ({ ...user, nickname: "nick", updated_at: "2026-01-02T03:04:05.678Z" }),
    userInfo: (user) => ({ ...user, updated_at: "2026-01-02T03:04:05.678Z" }),
  },
  "issuer-f": {
    label: "Amazon Cognito",
    path: "/eu-central-1_Simulator",
    metadata: {
      token_endpoint_auth_methods_supported: [BASIC, POST],
      code_challenge_methods_supported: undefined,
      response_modes_supported: undefined,
      response_types_supported: ["code", "token"],
      scopes_supported: ["openid", "email", "phone", "profile"],
      claims_supported: undefined,
    },
    clientAuthentication: null,
    clientRefusal: [400, "invalid_client"],
    idToken: (user) => ({ ...user, token_use: "id", "cognito:username": "person" }),
    userInfo: (user) => ({ ...user, ...verifiedAsText(user), username: "person" }),
  },
  "issuer-g": {
    label: "Keycloak",
    path: "/realms/main",
    metadata: {
      token_endpoint_auth_methods_supported: ["private_key_jwt", BASIC, POST, "tls_client_auth", "client_secret_jwt"],
      code_challenge_methods_supported: ["plain", "S256"],
      response_modes_supported: [...ALL_MODES, "query.jwt", "fragment.jwt", "form_post.jwt", "jwt"],
      id_token_signing_alg_values_supported: names("PS384 RS384 EdDSA ES384 HS256 HS512 ES256 RS256 PS256"),
      scopes_supported: ["openid", "email", "profile", "offline_access", "roles", "web-origins"],
      claims_supported: names("aud sub iss auth_time name given_name family_name preferred_username email acr"),
      authorization_response_iss_parameter_supported: true,
    },
    clientAuthentication: null,
    clientRefusal: [401, "unauthorized_client"],
    idToken: (user, { clientId }) => ({ ...user, azp: clientId, typ: "ID", acr: "1" }),
    userInfo: (user) => ({ ...user, preferred_username: "person" }),
  },
  "issuer-h": {
    label: "authentik",
    path: "/application/o/social/",
    metadata: {
      token_endpoint_auth_methods_supported: [POST, BASIC],
      code_challenge_methods_supported: ["plain", "S256"],
      response_modes_supported: ALL_MODES,
      scopes_supported: ["openid", "email", "profile"],
      claims_supported: names("sub iss aud exp iat auth_time acr amr nonce email email_verified name"),
    },
    clientAuthentication: null,
    clientRefusal: [400, "invalid_client"],
    idToken: (user) => ({ ...user, acr: "goauthentik.io/providers/oauth2/default", groups: ["staff"] }),
    userInfo: (user) => ({ ...user, groups: ["staff"] }),
  },
  "issuer-i": {
    label: "ZITADEL",
    path: "",
    metadata: {
      token_endpoint_auth_methods_supported: ["none", BASIC, POST, "private_key_jwt"],
      response_modes_supported: ALL_MODES,
      scopes_supported: ["openid", "profile", "email", "phone", "address", "offline_access"],
      claims_supported: names("sub aud exp iat iss auth_time nonce acr amr azp name email email_verified"),
    },
    clientAuthentication: BASIC,
    clientRefusal: [400, "invalid_client"],
    // The audience includes the project; user info is not inside the ID token unless the application enables it.
    idToken: (_user, { clientId }) => ({ aud: [clientId, "252855756087375358"], azp: clientId, amr: ["pwd"] }),
    userInfo: (user) => ({ ...user, preferred_username: "person" }),
  },
  "issuer-j": {
    label: "Apple",
    path: "",
    metadata: {
      token_endpoint_auth_methods_supported: [POST],
      code_challenge_methods_supported: undefined,
      response_modes_supported: ALL_MODES,
      response_types_supported: ["code"],
      subject_types_supported: ["pairwise"],
      scopes_supported: ["openid", "email", "name"],
      claims_supported: names("aud email email_verified exp iat is_private_email iss nonce nonce_supported sub"),
    },
    clientAuthentication: POST,
    clientRefusal: [400, "invalid_client"],
    // The documented claims have no auth_time, but ID tokens in public reports do.
    idToken: ({ email, ...user }) => ({
      ...(email === undefined ? {} : { email, ...verifiedAsText(user), is_private_email: "false" }),
      nonce_supported: true,
    }),
    userInfo: null,
    requiresFormPost: true,
    rejectsOtherScopes: true,
  },
  "issuer-k": {
    label: "GitLab",
    path: "",
    metadata: {
      token_endpoint_auth_methods_supported: [BASIC, POST],
      code_challenge_methods_supported: ["plain", "S256"],
      response_modes_supported: ALL_MODES,
      scopes_supported: ["api", "read_user", "openid", "profile", "email"],
      claims_supported: names("iss sub aud exp iat sub_legacy name nickname email email_verified website picture"),
    },
    clientAuthentication: null,
    clientRefusal: [401, "invalid_client"],
    idToken: (user) => ({ ...user, sub_legacy: "5f4dcc3b", nickname: "person" }),
    userInfo: (user) => ({ ...user, groups: ["staff"], website: "" }),
  },
} as const satisfies Record<string, IssuerProfile>;

export type IssuerKey = keyof typeof ISSUER_PROFILES;
export const ISSUER_KEYS = Object.keys(ISSUER_PROFILES) as IssuerKey[];

/** Where the issuer of a profile is mounted, without the slash at the end of its identifier. */
export function mountOf(key: IssuerKey): string {
  return `/issuers/${key}${ISSUER_PROFILES[key].path}`.replace(/\/$/, "");
}

function names(text: string): readonly string[] {
  return text.split(" ");
}

function verifiedAsText({ email_verified }: Claims): Claims {
  return email_verified === undefined ? {} : { email_verified: String(email_verified) };
}
