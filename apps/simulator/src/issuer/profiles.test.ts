import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { returnFromSignIn } from "../drive/drive.ts";
import { startTestSimulator, type TestSimulator } from "../testing/testSimulator.ts";
import { ISSUER_KEYS, ISSUER_PROFILES, type IssuerKey } from "./profiles.ts";

const REDIRECT_URI = "http://127.0.0.1:65001/callback";
const SECRET = "issuer-secret";
let simulator: TestSimulator;

beforeAll(async () => {
  const application = { clientId: "app", clientSecret: SECRET, redirectUris: [REDIRECT_URI] };
  simulator = await startTestSimulator({ issuerClients: [application] });
});
afterAll(() => simulator.close());

function discover(key: IssuerKey, authentication?: client.ClientAuth): Promise<client.Configuration> {
  const isBasic = ISSUER_PROFILES[key].clientAuthentication === "client_secret_basic";
  const own = isBasic ? client.ClientSecretBasic(SECRET) : client.ClientSecretPost(SECRET);
  const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
  return client.discovery(new URL(simulator.issuerUrls[key]), "app", undefined, authentication ?? own, { execute });
}

async function signIn(configuration: client.Configuration, parameters: Record<string, string>) {
  const [pkceCodeVerifier, expectedNonce, expectedState] = [
    client.randomPKCECodeVerifier(),
    client.randomNonce(),
    client.randomState(),
  ];
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: REDIRECT_URI,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    ...parameters,
  });
  const back = await returnFromSignIn(url, { person: "ada" });
  const callback = new URL(`${REDIRECT_URI}?${back.form ?? back.url.searchParams}`);
  const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(configuration, callback, checks);
  return { claims: tokens.claims(), isForm: back.form !== null };
}

const FORM = { response_mode: "form_post" };

describe.each(ISSUER_KEYS)("%s", (key) => {
  test("publishes its metadata under its exact name, and signs in with the code flow", async () => {
    const configuration = await discover(key);
    const metadata = configuration.serverMetadata();
    expect(metadata.issuer).toBe(simulator.issuerUrls[key]);
    const { token_endpoint_auth_methods_supported: methods } = metadata;
    expect(methods).toEqual(ISSUER_PROFILES[key].metadata.token_endpoint_auth_methods_supported);
    const { claims } = await signIn(configuration, { scope: "openid email", ...FORM });
    expect(claims?.iss).toBe(simulator.issuerUrls[key]);
  });
});

test.each([
  ["issuer-e", client.ClientSecretBasic(SECRET), 401, "access_denied"],
  ["issuer-i", client.ClientSecretPost(SECRET), 400, "invalid_client"],
  ["issuer-g", client.ClientSecretPost("wrong"), 401, "unauthorized_client"],
] as const)("%s refuses another client authentication in its own way", async (key, authentication, status, error) => {
  const configuration = await discover(key, authentication);
  await expect(signIn(configuration, { scope: "openid email" })).rejects.toMatchObject({ status, error });
});

test("like AD FS: the address only with a scope and as a form, and as text", async () => {
  const configuration = await discover("issuer-c");
  const claimsWith = async (parameters: Record<string, string>) => (await signIn(configuration, parameters)).claims;
  expect(await claimsWith({ scope: "openid email", ...FORM })).not.toHaveProperty("email");
  expect(await claimsWith({ scope: "openid email allatclaims" })).not.toHaveProperty("email");
  expect(await claimsWith({ scope: "openid email allatclaims", ...FORM })).toMatchObject({
    email: "ada@example.test",
    email_verified: "true",
  });
});

test("like Apple: names and addresses only as a form, no other scopes, no UserInfo", async () => {
  const configuration = await discover("issuer-j");
  expect(configuration.serverMetadata().userinfo_endpoint).toBeUndefined();
  await expect(signIn(configuration, { scope: "openid email" })).rejects.toThrow("invalid_request");
  await expect(signIn(configuration, { scope: "openid email profile", ...FORM })).rejects.toThrow("invalid_scope");
  const { claims, isForm } = await signIn(configuration, { scope: "openid email", ...FORM });
  expect(isForm).toBe(true);
  expect(claims).toMatchObject({ email: "ada@example.test", email_verified: "true" });
});
