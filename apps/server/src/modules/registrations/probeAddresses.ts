import { randomBytes } from "node:crypto";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { createEgress, EgressError } from "../../platform/network/egress.ts";
import {
  type ProviderAdapter,
  ProviderError,
  type ProviderErrorKind,
  type RegistrationAccess,
} from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { redirectUri } from "./callbackAddress.ts";
import { registrationAccess } from "./registrationAccess.ts";

export interface AddressProblem {
  /** Which URL, as in the registration's input. */
  readonly address: "authorization" | "token" | "revocation" | "api";
  /** The problem, for admins; contains no secret. */
  readonly problem: string;
}

/**
 * Sends each URL of a registration a request that the provider must refuse: an invalid code or token. The provider
 * refuses it in its wire profile; a web page, another API or a timeout does not. The adapter interprets the responses,
 * so this is the same for all providers.
 */
export async function probeAddresses(
  service: Service,
  registration: ProviderRegistration,
  now: Date,
): Promise<AddressProblem[]> {
  const adapter = service.provider(registration.provider);
  const access = registrationAccess(service, registration, now);
  const address = redirectUri(service, registration.provider);
  const found = await Promise.all([
    probeConsentPage(service, adapter, access, registration, address),
    probeToken(adapter, access, address),
    probeApi(adapter, access, registration),
    probeRevocation(adapter, access),
  ]);
  return found.filter((problem) => problem !== null);
}

/** The server exists but has no such route: not a refusal of the request. */
const NO_SUCH_ENDPOINT: readonly (number | undefined)[] = [404, 405, 410, 501];
/** RFC 6749 5.2: the client is unknown there, or its secret is wrong. No account could be connected. */
const CLIENT_REFUSED: readonly (string | null | undefined)[] = ["invalid_client", "unauthorized_client"];

/** A value that no provider ever issued. */
function madeUp(): string {
  return `probe-${randomBytes(16).toString("hex")}`;
}

async function probeConsentPage(
  { mode }: Service,
  adapter: ProviderAdapter,
  access: RegistrationAccess,
  { capabilities }: ProviderRegistration,
  address: string,
): Promise<AddressProblem | null> {
  const url = await adapter.authorizationUrl(access, {
    redirectUri: address,
    state: madeUp(),
    capabilities,
    codeChallenge: adapter.traits.pkce ? randomBytes(32).toString("base64url") : null,
    isAccountChoice: false,
  });
  const fetchPage = createEgress({ allowedOrigins: [url.origin], allowLoopbackHttp: mode === "sandbox" });
  try {
    const { status } = await fetchPage(url, { headers: { accept: "text/html" } });
    // A page with bot protection exists nevertheless.
    if (status < 400 || status === 403 || status === 429) return null;
    const problem =
      status === 400 || status === 401
        ? `The consent page refuses the client id, the scopes or the redirect URL (HTTP ${status}). Register ${address} in the provider's console.`
        : `Unexpected response of the consent page: HTTP ${status}.`;
    return { address: "authorization", problem };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    // The redirect to a sign-in page.
    if (error.failure === "redirect") return null;
    return { address: "authorization", problem: `The consent page did not respond: ${error.failure}.` };
  }
}

function probeToken(adapter: ProviderAdapter, access: RegistrationAccess, address: string) {
  const state = madeUp();
  const callbackUrl = new URL(address);
  callbackUrl.searchParams.set("code", madeUp());
  callbackUrl.searchParams.set("state", state);
  const { issuer } = access.addresses;
  if (issuer !== undefined) callbackUrl.searchParams.set("iss", issuer);
  const codeVerifier = adapter.traits.pkce ? randomBytes(32).toString("hex") : null;
  const exchange = () => adapter.exchangeCode(access, { redirectUri: address, callbackUrl, state, codeVerifier });
  return expectRefusal("token", exchange, ["rejected", "grant_gone"]);
}

function probeApi(adapter: ProviderAdapter, access: RegistrationAccess, { capabilities }: ProviderRegistration) {
  const session = { registration: access, accessToken: madeUp(), providerAccountId: null, capabilities };
  return expectRefusal("api", () => adapter.readAccount(session), ["access_expired", "grant_gone"]);
}

/** An already invalid token counts as revoked, so both are the provider's response. */
async function probeRevocation(adapter: ProviderAdapter, access: RegistrationAccess): Promise<AddressProblem | null> {
  if (adapter.revoke === undefined) return null;
  const tokens = {
    accessToken: madeUp(),
    accessTokenExpiresAt: null,
    refreshToken: madeUp(),
    refreshTokenExpiresAt: null,
  };
  try {
    await adapter.revoke(access, tokens);
    return null;
  } catch (error) {
    return judge("revocation", error, ["rejected", "grant_gone", "access_expired"]);
  }
}

async function expectRefusal(
  address: AddressProblem["address"],
  call: () => Promise<unknown>,
  expected: readonly ProviderErrorKind[],
): Promise<AddressProblem | null> {
  try {
    await call();
  } catch (error) {
    return judge(address, error, expected);
  }
  return { address, problem: "It accepted invalid credentials." };
}

function judge(
  address: AddressProblem["address"],
  error: unknown,
  expected: readonly ProviderErrorKind[],
): AddressProblem | null {
  if (!(error instanceof ProviderError)) throw error;
  if (CLIENT_REFUSED.includes(error.refusal?.code))
    return { address, problem: `The client id or secret is rejected: ${error.message}.` };
  const isElsewhere = NO_SUCH_ENDPOINT.includes(error.refusal?.status);
  return expected.includes(error.kind) && !isElsewhere
    ? null
    : { address, problem: `Unexpected response: ${error.message}.` };
}
