import { createHash, randomBytes } from "node:crypto";
import { type ProviderKey, simulatorRegistration } from "@social-connect/simulator";
import type { SocialProvider } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** The tokens of a grant, as the integration that the application leaves has them. */
export type OldTokens = Awaited<ReturnType<ReturnType<typeof oldIntegration>>>;

interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token?: string;
}

/** An integration of the application's own, with the provider client that the service has: users consent, and it gets tokens. */
export function oldIntegration({ client, provider: simulator, providerUrls, url }: Deployment) {
  return async (provider: SocialProvider, account: string) => {
    const slug = providerSlug(provider) as ProviderKey;
    const registered = { ...client, redirectUris: [] };
    const { addresses, scopes: byCapability } = simulatorRegistration(providerUrls, slug, registered);
    const scopes = [...new Set(Object.values(byCapability).flat())];
    const [id, secret] = [provider === "PROVIDER_B" ? "client_key" : "client_id", client.clientSecret];
    const redirectUri = `${url}/api/connect/callback/${slug}`;
    const verifier = randomBytes(32).toString("hex");
    const challenge = createHash("sha256").update(verifier);
    const authorization = new URL(addresses.authorization);
    authorization.search = new URLSearchParams({
      ...{ response_type: "code", [id]: client.clientId, redirect_uri: redirectUri },
      state: randomBytes(16).toString("hex"),
      ...{ scope: scopes.join(provider === "PROVIDER_A" ? " " : ","), access_type: "offline", prompt: "consent" },
      ...(provider !== "PROVIDER_C" && {
        code_challenge: challenge.digest(provider === "PROVIDER_A" ? "base64url" : "hex"),
        code_challenge_method: "S256",
      }),
    }).toString();
    const back = await simulator.consent(authorization.href, { account });
    const form = new URLSearchParams({
      ...{ grant_type: "authorization_code", code: (back.searchParams.get("code") ?? "").replace(/#_$/, "") },
      ...{ redirect_uri: redirectUri, [id]: client.clientId, client_secret: secret, code_verifier: verifier },
    });
    let tokens = await read(await fetch(addresses.token, { method: "POST", body: form }));
    if (provider === "PROVIDER_C") {
      const query = { grant_type: "ig_exchange_token", client_secret: secret, access_token: tokens.access_token };
      tokens = await read(await fetch(`${addresses.api}/access_token?${new URLSearchParams(query)}`));
    }
    return {
      accessToken: tokens.access_token,
      accessTokenExpiresAt: new Date(Date.now() + tokens.expires_in * 1_000).toISOString(),
      ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
      scopes,
    };
  };
}

/** Flat, or as the only entry of a list. */
async function read(response: Response): Promise<TokenResponse> {
  const body = (await response.json()) as TokenResponse & { readonly data?: readonly TokenResponse[] };
  const tokens = body.data?.[0] ?? body;
  if (!response.ok || typeof tokens.access_token !== "string")
    throw new Error(`The simulator answers a code with ${response.status}.`);
  return tokens;
}
