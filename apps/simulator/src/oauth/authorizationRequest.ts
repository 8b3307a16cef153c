import type { Call } from "../shared/http.ts";
import type { ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import type { World } from "../state/world.ts";

/** The parts of an authorization request that all three providers share, checked. */
export interface AuthorizationRequest {
  readonly client: SimulatorClient;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly scopes: readonly string[];
  /** As it was sent; whether it is a hash of the verifier shows at the exchange. */
  readonly codeChallenge: string | null;
  parameter(name: string): string | null;
}

/** `returnable` is null while the redirect address is not known to be the client's: then only a page may answer. */
export interface Refusal {
  readonly error: string;
  readonly explanation: string;
  readonly returnable: { readonly redirectUri: string; readonly state: string | null } | null;
}

interface Profile {
  readonly provider: ProviderKey;
  readonly clientParameter: "client_id" | "client_key";
  readonly scopeSeparator: " " | ",";
  /** What an S256 challenge has to look like. Provider C takes no part in PKCE (null): it ignores the parameters. */
  readonly challenge: RegExp | null;
}

/** Checks client, redirect address, response type and PKCE method, in that order (RFC 6749, 4.1.2.1). */
export function readAuthorizationRequest(
  world: World,
  call: Call,
  profile: Profile,
): { request: AuthorizationRequest } | { refusal: Refusal } {
  const query = new URL(call.req.url).searchParams;
  const refuse = (error: string, explanation: string, returnable: Refusal["returnable"] = null) => ({
    refusal: { error, explanation, returnable },
  });
  const doubled = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (doubled !== undefined) return refuse("invalid_request", `The parameter ${doubled} is there twice.`);

  const clientId = query.get(profile.clientParameter);
  const client = clientId === null ? undefined : world.client(profile.provider, clientId);
  if (client === undefined) return refuse("invalid_client", `No application has this ${profile.clientParameter}.`);
  call.get("trace").clientId = client.clientId;

  const redirectUri = query.get("redirect_uri");
  if (redirectUri === null || !client.redirectUris.includes(redirectUri)) {
    return refuse("redirect_uri_mismatch", "The redirect address is not one of those registered for the application.");
  }
  const returnable = { redirectUri, state: query.get("state") };
  if (query.get("response_type") !== "code")
    return refuse("unsupported_response_type", "Only response_type=code is served.", returnable);

  const codeChallenge = profile.challenge === null ? null : query.get("code_challenge");
  if (codeChallenge !== null) {
    if (query.get("code_challenge_method") !== "S256")
      return refuse("invalid_request", "code_challenge_method has to be S256.", returnable);
    if (!profile.challenge?.test(codeChallenge))
      return refuse("invalid_request", "code_challenge is not an S256 challenge.", returnable);
  }
  const scopes = (query.get("scope") ?? "").split(profile.scopeSeparator).filter((scope) => scope !== "");
  return {
    request: {
      client,
      ...returnable,
      scopes: [...new Set(scopes)],
      codeChallenge,
      parameter: (name) => query.get(name),
    },
  };
}

/** A redirect address with parameters added; those it has already stay as they are. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return url.toString();
}
