import type Provider from "oidc-provider";
import type { Claims, IssuerProfile } from "./profiles.ts";

type Context = Parameters<Parameters<Provider["use"]>[0]>[0];

const USER_CLAIMS = ["email", "email_verified", "name", "picture"];
/** Scopes whose claims Apple only returns in a form. */
const PERSONAL_SCOPES = ["email", "name"];

/** What an issuer does differently from the library, by its profile. */
export function behaveAs(provider: Provider, profile: IssuerProfile) {
  /** Nonces of authorization requests whose response is a form. */
  const postedNonces = new Set<string>();

  provider.on("authorization.success", (_context, out) => {
    if (out !== undefined && profile.metadata["authorization_response_iss_parameter_supported"] !== true)
      delete out.iss;
  });

  return {
    /** The refusal of a request that the library would accept; null to let the library answer. */
    refuse(context: Context): [status: number, body: unknown] | null {
      if (context.path === "/auth") return refuseAuthorization(context);
      if (context.path === "/me" && profile.userInfo === null) return [404, { error: "not_found" }];
      const { clientAuthentication } = profile;
      if (context.path !== "/token" || clientAuthentication === null) return null;
      const isBasic = context.get("authorization") !== "";
      return isBasic === (clientAuthentication === "client_secret_basic") ? null : clientRefusal();
    },

    /** Changes the response of the library. */
    rewrite(context: Context): void {
      const body = context.body as Record<string, unknown> | undefined;
      if (typeof body !== "object" || body === null) return;
      if (context.path === "/.well-known/openid-configuration") {
        const hidden = { authorization_response_iss_parameter_supported: undefined };
        const userInfo = profile.userInfo === null ? { userinfo_endpoint: undefined } : {};
        context.body = { ...body, ...hidden, ...profile.metadata, ...userInfo };
      }
      if (context.path === "/me" && context.status === 200) {
        context.body = { sub: body["sub"], ...profile.userInfo?.(userClaims(body)) };
      }
      if (context.path === "/token" && body["error"] === "invalid_client") {
        [context.status, context.body] = clientRefusal();
      }
    },

    /** Rewrites the claims of an ID token in a response of the token endpoint. */
    claims(context: Context, response: Claims) {
      const clientId = String(context["oidc"].client?.clientId);
      const scopes = String(response["scope"] ?? "").split(" ");
      return (issued: Record<string, unknown>): Record<string, unknown> => {
        const rest = Object.entries(issued).filter(([name]) => !USER_CLAIMS.includes(name));
        const isPosted = postedNonces.has(String(issued["nonce"]));
        return { ...Object.fromEntries(rest), ...profile.idToken(userClaims(issued), { clientId, scopes, isPosted }) };
      };
    },
  };

  function refuseAuthorization({ query }: Context): [number, unknown] | null {
    const scopes = String(query["scope"] ?? "").split(" ");
    const isPosted = query["response_mode"] === "form_post";
    if (isPosted) postedNonces.add(String(query["nonce"]));
    const offered = profile.metadata["scopes_supported"] as readonly string[];
    if (profile.rejectsOtherScopes && !scopes.every((scope) => offered.includes(scope))) {
      return [400, { error: "invalid_scope" }];
    }
    const isPersonal = scopes.some((scope) => PERSONAL_SCOPES.includes(scope));
    return profile.requiresFormPost && isPersonal && !isPosted ? [400, { error: "invalid_request" }] : null;
  }

  function clientRefusal(): [number, unknown] {
    const [status, error] = profile.clientRefusal;
    return [status, { error, error_description: "The client or its authentication is not accepted." }];
  }
}

function userClaims(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => USER_CLAIMS.includes(name)));
}
