import { describe, expect, test } from "vitest";
import { Secret } from "../../platform/secrets/secret.ts";
import { examineIssuer } from "./examineIssuer.ts";
import { type Answer, issuer, type Json, json, useForgingIssuer } from "./testing/forgingIssuer.ts";

const REDIRECT_URI = "https://app.example.test/panel/callback";

useForgingIssuer();

function access(url = issuer.name) {
  return { url, clientId: "service", clientSecret: new Secret("canary-secret") };
}

async function problemOf(url?: string): Promise<string | null> {
  const { problem } = await examineIssuer(access(url), [REDIRECT_URI]);
  const line = problem && `${problem.problem}. ${problem.remedy}.`;
  expect(line ?? "").not.toMatch(/canary|\n/);
  return line;
}

test("finds nothing at an honest issuer", async () => {
  expect(await examineIssuer(access(), [REDIRECT_URI])).toEqual({ problem: null, unlistedClaims: [] });
});

describe("names the right spelling of the issuer", () => {
  test.each([
    ["/application/o/social/", "/application/o/social"],
    ["/realms/main", "/realms/main/"],
    ["/realms/main", "/realms/Main"],
    ["", "/.well-known/openid-configuration"],
    ["", "/wrong"],
  ])("…%s instead of …%s", async (path, configured) => {
    issuer.path = path;
    const { name } = issuer;
    expect(await problemOf(issuer.url + configured)).toBe(
      `its metadata names another issuer: ${name}. Set ISSUER_URL to exactly ${name}.`,
    );
    expect(await problemOf(name)).toBeNull();
  });

  test("of one tenant instead of a name for all", async () => {
    issuer.path = "/{tenantid}/v2.0";
    expect(await problemOf(`${issuer.url}/common/v2.0`)).toBe(
      `its metadata names another issuer: ${issuer.name}, of any tenant. Set ISSUER_URL to the issuer of one tenant.`,
    );
  });

  test("and repeats no text of another kind", async () => {
    issuer.metadata = { issuer: "<b>canary</b>" };
    expect(await problemOf()).toMatch(/^its metadata |^it does not respond as an OpenID provider: /);
  });
});

const METADATA = "/.well-known/openid-configuration";
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end("canary");

test.each<[string, string, Answer, RegExp]>([
  ["no metadata", METADATA, status(404), /its metadata has the status 404/],
  ["a web page as metadata", METADATA, (response) => response.end("<html>canary"), /web page/],
  ["metadata without a name", METADATA, json({}), /does not have the form/],
  ["metadata that redirects", METADATA, status(302, { location: "/canary" }), /redirect, which is not followed/],
  ["keys that are missing", "/jwks", status(404), /its keys have the status 404/],
  ["keys that are a web page", "/jwks", status(200), /its keys are not JSON/],
  ["no keys", "/jwks", json({ keys: [] }), /its keys contain none/],
  ["keys for encryption only", "/jwks", json({ keys: [{ kty: "RSA", use: "enc" }] }), /its keys contain none/],
  ["a token endpoint that is missing", "/token", status(404), /its token endpoint does not respond as one/],
  ["a token endpoint that is a web page", "/token", status(200), /its token endpoint does not respond as one/],
  ["a refused client", "/token", json({ error: "invalid_client" }, 401), /refuses the client "service" or its secret/],
  [
    "an unregistered redirect URL",
    "/authorize",
    status(400),
    /refuses a sign-in that returns to https:\/\/app.example/,
  ],
  ["a redirect URL that is forbidden", "/authorize", status(403), /HTTP 403\). Register this redirect URL/],
  ["a forbidden scope", "/authorize", errorAs("invalid_scope"), /refuses the scopes openid, email and profile/],
  ["a forbidden flow", "/authorize", errorAs("unauthorized_client"), /does not let the client use the authorization/],
])("finds %s", async (_, path, answer, problem) => {
  issuer.answers.set(path, answer);
  expect(await problemOf()).toMatch(problem);
});

test.each<[string, Answer]>([
  ["that asks for a sign-in", errorAs("login_required")],
  ["that does so in a form", status(400)],
  ["with its own sign-in page", status(302, { location: "/login" })],
  ["that shows a page", status(200)],
  ["that is busy", status(429)],
])("finds nothing at an authorization endpoint %s", async (what, answer) => {
  const form = `<form method="post" action="${REDIRECT_URI}"><input name="error" value="login_required"/></form>`;
  issuer.answers.set("/authorize", what.includes("form") ? (response) => response.writeHead(400).end(form) : answer);
  expect(await problemOf()).toBeNull();
});

test.each<[Json, RegExp]>([
  [{ jwks_uri: undefined }, /^its metadata has no jwks_uri/],
  [{ token_endpoint: undefined }, /^its metadata has no token_endpoint/],
  [{ id_token_signing_alg_values_supported: ["HS256"] }, /^it signs ID tokens only with HS256. Let the issuer sign/],
  [{ response_types_supported: ["id_token"] }, /^it does not offer the authorization code flow/],
  [{ response_modes_supported: ["fragment"] }, /^it offers neither of the response modes/],
  [
    { token_endpoint_auth_methods_supported: ["private_key_jwt"] },
    /^its token endpoint only accepts private_key_jwt. /,
  ],
  [{ scopes_supported: ["openid"] }, /^it offers neither the scope nor the claim email, so no admin can sign in/],
  [{ userinfo_endpoint: "not a URL" }, /an address that is not a URL/],
])("finds that the metadata is %j", async (metadata, problem) => {
  issuer.metadata = metadata;
  expect(await problemOf()).toMatch(problem);
});

test("lists the claims of admins that the metadata does not list", async () => {
  issuer.metadata = { claims_supported: ["sub", "email"] };
  expect(await examineIssuer(access(), [REDIRECT_URI])).toEqual({
    problem: null,
    unlistedClaims: ["email_verified", "auth_time"],
  });
});

function errorAs(error: string): Answer {
  return status(303, { location: `${REDIRECT_URI}?error=${error}` });
}
