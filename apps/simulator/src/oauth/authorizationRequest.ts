import type { Call } from "../shared/http.ts";
import type { ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import type { World } from "../state/createWorld.ts";

/** The validated parameters of an authorization request that all providers share. */
export interface AuthorizationRequest {
  readonly client: SimulatorClient;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly scopes: readonly string[];
  /** Checked at the exchange. */
  readonly codeChallenge: string | null;
  parameter(name: string): string | null;
}

/** `redirectTarget` is null if the redirect URL is not registered: the error must be shown as a page. */
export interface Refusal {
  readonly error: string;
  readonly explanation: string;
  readonly redirectTarget: { readonly redirectUri: string; readonly state: string | null } | null;
}

/** The differences between the providers' authorization requests. */
export interface RequestFormat {
  readonly provider: ProviderKey;
  readonly clientParameter: "client_id" | "client_key";
  readonly scopeSeparator: " " | ",";
  /** The format of an S256 challenge. null: the provider does not support PKCE and ignores the parameters (C). */
  readonly challenge: RegExp | null;
}

/** Checks client, redirect URL, response type and PKCE method, in this order (RFC 6749, 4.1.2.1). */
export function readAuthorizationRequest(
  world: World,
  call: Call,
  format: RequestFormat,
): { request: AuthorizationRequest } | { refusal: Refusal } {
  const query = new URL(call.req.url).searchParams;
  const refuse = (error: string, explanation: string, redirectTarget: Refusal["redirectTarget"] = null) => ({
    refusal: { error, explanation, redirectTarget },
  });
  const duplicate = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (duplicate !== undefined) return refuse("invalid_request", `Duplicate parameter: ${duplicate}.`);

  const clientId = query.get(format.clientParameter);
  const client = clientId === null ? undefined : world.client(format.provider, clientId);
  if (client === undefined) return refuse("invalid_client", `Unknown ${format.clientParameter}.`);
  call.get("trace").clientId = client.clientId;

  const redirectUri = query.get("redirect_uri");
  if (redirectUri === null || !client.redirectUris.includes(redirectUri)) {
    return refuse("redirect_uri_mismatch", "The redirect URL is not registered for the application.");
  }
  const redirectTarget = { redirectUri, state: query.get("state") };
  if (query.get("response_type") !== "code")
    return refuse("unsupported_response_type", "Only response_type=code is supported.", redirectTarget);

  const codeChallenge = format.challenge === null ? null : query.get("code_challenge");
  if (codeChallenge !== null) {
    if (query.get("code_challenge_method") !== "S256")
      return refuse("invalid_request", "code_challenge_method must be S256.", redirectTarget);
    if (!format.challenge?.test(codeChallenge))
      return refuse("invalid_request", "code_challenge is not an S256 challenge.", redirectTarget);
  }
  const scopes = (query.get("scope") ?? "").split(format.scopeSeparator).filter((scope) => scope !== "");
  return {
    request: {
      client,
      ...redirectTarget,
      scopes: [...new Set(scopes)],
      codeChallenge,
      parameter: (name) => query.get(name),
    },
  };
}

export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return url.toString();
}
