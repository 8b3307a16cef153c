import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createAdminMember } from "../testing/admins.ts";
import {
  type Answer,
  application,
  issuer,
  type Json,
  json,
  rs256,
  service,
  useIssuer,
} from "./testing/forgingIssuer.ts";
import { handOff, signInToPanel } from "./testing/signIns.ts";

useIssuer();

const EMAIL = "person@example.test";
const COMPLETE = { email: EMAIL, email_verified: true, name: "Ada", picture: "https://a.example/ada.png" };
beforeEach(async () => {
  await service.prisma.adminMember.deleteMany();
  await createAdminMember(service, "keeper@example.test");
  await service.prisma.adminMember.create({
    data: { id: crypto.randomUUID(), email: EMAIL, addedAt: service.clock.current, addedBy: "System" },
  });
});

/** The ID token has these claims besides those of every token. */
function tokenWith(claims: Json): void {
  issuer.idToken = (honest) => rs256({}, { ...honest, auth_time: honest["iat"], ...claims });
}

async function bothSignIn() {
  const { result } = await handOff(service, application, issuer);
  return { result, panel: (await signInToPanel(service, issuer)).outcome };
}

const isCompleted = {
  result: { status: "COMPLETED", email: EMAIL, emailVerified: true, name: "Ada", pictureUrl: COMPLETE.picture },
  panel: "signed-in",
};

describe("UserInfo is optional", () => {
  test.each<[string, Answer]>([
    ["only has the subject", json({ sub: "person-1" })],
    ["has claims of another type", json({ sub: "person-1", email: 7, name: ["x"] })],
    ["is refused with 401", json({ error: "invalid_token" }, 401)],
    ["is refused with a challenge", (response) => response.writeHead(401, { "www-authenticate": "Bearer" }).end()],
    ["is refused with 403", json({ error: "insufficient_scope" }, 403)],
    ["does not exist", (response) => response.writeHead(404).end()],
    ["fails", (response) => response.writeHead(500).end("broken")],
    ["is a web page", (response) => response.end("<html>")],
    ["is empty", (response) => response.writeHead(204).end()],
    ["is a list", (response) => response.writeHead(200, { "content-type": "application/json" }).end("[]")],
    ["has no subject", json({ email: "other@example.test" })],
    ["has a number as subject", json({ sub: 1 })],
    ["is signed", (response) => response.writeHead(200, { "content-type": "application/jwt" }).end(rs256({}, {}))],
    ["redirects", (response) => response.writeHead(302, { location: "/elsewhere" }).end()],
    ["is too large", json({ sub: "person-1", padding: "a".repeat(300_000) })],
    ["is interrupted", (response) => response.destroy()],
    ["never comes", () => undefined],
  ])("the claims of the ID token are used when it %s", async (_, answer) => {
    tokenWith(COMPLETE);
    issuer.answers.set("/userinfo", answer);
    expect(await bothSignIn()).toMatchObject(isCompleted);
  });

  test("of another subject ends the sign-in", async () => {
    tokenWith(COMPLETE);
    issuer.answers.set("/userinfo", json({ sub: "person-2" }));
    expect(await bothSignIn()).toMatchObject({ result: { status: "FAILED", email: null }, panel: "failed" });
  });

  test("adds the claims that the ID token lacks, and replaces none", async () => {
    issuer.answers.set("/userinfo", json({ sub: "person-1", ...COMPLETE }));
    for (const lacking of [{}, { email: null, name: "" }]) {
      tokenWith(lacking);
      expect(await bothSignIn()).toMatchObject(isCompleted);
    }
    issuer.answers.set("/userinfo", json({ sub: "person-1", ...COMPLETE, name: "Eve", email: "eve@example.test" }));
    tokenWith(COMPLETE);
    expect(await bothSignIn()).toMatchObject(isCompleted);
  });

  test("does not exist at some issuers", async () => {
    tokenWith(COMPLETE);
    for (const userinfo_endpoint of [undefined, null]) {
      issuer.metadata = { userinfo_endpoint };
      expect(await bothSignIn()).toMatchObject(isCompleted);
    }
  });
});

describe("email_verified", () => {
  test.each<[Json, boolean | null]>([
    [{ email_verified: true }, true],
    [{ email_verified: "true" }, true],
    [{ email_verified: "True" }, true],
    [{ email_verified: false }, false],
    [{ email_verified: "false" }, false],
    [{ email_verified: "yes" }, null],
    [{ email_verified: "" }, null],
    [{ email_verified: 1 }, true],
    [{ email_verified: "1" }, true],
    [{ email_verified: 0 }, false],
    [{ email_verified: "0" }, false],
    [{ email_verified: 2 }, null],
    [{ email_verified: ["true"] }, null],
    [{ xms_edov: true }, true],
    [{ xms_edov: "true" }, true],
    [{ xms_edov: 1 }, true],
    [{ xms_edov: "1" }, true],
    [{ xms_edov: 0 }, false],
    [{ xms_edov: "0" }, false],
    [{ xms_edov: "1", email_verified: null }, true],
    [{ xms_edov: true, email_verified: false }, false],
    [{}, null],
  ])("%j is %j, and only then an admin signs in", async (claims, emailVerified) => {
    tokenWith({ email: EMAIL, ...claims });
    issuer.answers.set("/userinfo", json({ sub: "person-1" }));
    expect(await bothSignIn()).toMatchObject({
      result: { status: "COMPLETED", email: EMAIL, emailVerified },
      panel: emailVerified === true ? "signed-in" : "not-an-admin",
    });
  });

  test.each<[string, Json, Json, boolean | null]>([
    ["adds to the address of the ID token", { email: EMAIL }, { email: EMAIL, email_verified: "true" }, true],
    ["without an address, too", { email: EMAIL }, { email_verified: true }, true],
    ["but not to another address", { email: EMAIL }, { email: "eve@example.test", email_verified: true }, null],
    ["and does not replace it", { email: EMAIL, email_verified: false }, { email: EMAIL, email_verified: true }, false],
  ])("UserInfo %s", async (_, claims, userInfo, emailVerified) => {
    tokenWith(claims);
    issuer.answers.set("/userinfo", json({ sub: "person-1", ...userInfo }));
    const { result } = await bothSignIn();
    expect(result).toMatchObject({ status: "COMPLETED", email: EMAIL, emailVerified });
  });
});

test.each<[Json, Json, string | null]>([
  [{ name: "Ada L." }, { given_name: "Ada", family_name: "Lovelace" }, "Ada L."],
  [{ given_name: "Ada", family_name: "Lovelace" }, {}, "Ada Lovelace"],
  [{ given_name: "Ada" }, { family_name: "Lovelace" }, "Ada Lovelace"],
  [{ name: "" }, { given_name: " Ada\u202e", family_name: 7 }, "Ada"],
  [{ name: null, family_name: "Lovelace" }, {}, "Lovelace"],
  [{ name: ["Ada"], given_name: "", family_name: "" }, {}, null],
])("the name in %j, and in UserInfo %j, is %j", async (claims, userInfo, name) => {
  tokenWith({ ...claims, email: EMAIL });
  issuer.answers.set("/userinfo", json({ sub: "person-1", ...userInfo }));
  expect((await bothSignIn()).result).toMatchObject({ status: "COMPLETED", name });
});

describe("the name of the issuer is not changed", () => {
  test.each(["", "/", "/realms/main", "/application/o/social/", "/tenant/v2.0"])("%j", async (path) => {
    tokenWith(COMPLETE);
    issuer.path = path;
    const named = { ...service, issuer: { ...access(), url: issuer.name } };
    const { result } = await handOff(named, application, issuer);
    expect(result).toMatchObject({ status: "COMPLETED", issuer: issuer.name });
    expect((await signInToPanel(named, issuer)).outcome).toBe("signed-in");
    expect(await service.prisma.adminMember.count({ where: { issuer: issuer.name } })).toBe(1);
  });

  test.each([
    ["/realms/main", "/realms/main/"],
    ["/application/o/social/", "/application/o/social"],
    ["/{tenantid}/v2.0", "/common/v2.0"],
    ["", "/.well-known/openid-configuration"],
    ["/A", "/a"],
  ])("an issuer that is named …%s is not found as …%s", async (path, configured) => {
    issuer.path = path;
    const other = { ...service, issuer: { ...access(), url: issuer.url + configured } };
    expect(await handOff(other, application, issuer)).toEqual({ page: null, result: null });
    expect((await signInToPanel(other, issuer)).outcome).toBe("unavailable");
  });
});

describe("the request follows the metadata", () => {
  const CHALLENGE = /^[\w-]{43}$/;
  test.each<[Json, Record<string, string | null>]>([
    [{}, { code_challenge_method: "S256", response_mode: null, scope: "openid email profile" }],
    [{ code_challenge_methods_supported: null }, { code_challenge_method: "S256" }],
    [{ code_challenge_methods_supported: ["plain", "S256"] }, { code_challenge_method: "S256" }],
    [{ code_challenge_methods_supported: ["plain"] }, { code_challenge_method: "plain" }],
    [{ code_challenge_methods_supported: "plain" }, { code_challenge_method: "plain" }],
    [{ code_challenge_methods_supported: "S256" }, { code_challenge_method: "S256" }],
    [{ response_modes_supported: ["query", "form_post"] }, { response_mode: null }],
    [{ response_modes_supported: "form_post" }, { response_mode: "form_post" }],
    [{ scopes_supported: "openid" }, { scope: "openid email" }],
    [{ scopes_supported: "openid,profile" }, { scope: "openid email profile" }],
    [{ scopes_supported: "openid profile allatclaims" }, { scope: "openid email profile allatclaims" }],
    [{ id_token_signing_alg_values_supported: "RS256" }, {}],
    [{ response_types_supported: "code" }, {}],
    [{ authorization_response_iss_parameter_supported: "false" }, {}],
    [{ authorization_response_iss_parameter_supported: "0", claims_supported: "sub" }, {}],
    [{ response_modes_supported: ["form_post"] }, { response_mode: "form_post" }],
    [{ scopes_supported: ["openid", "email", "name"] }, { scope: "openid email" }],
    [{ scopes_supported: ["openid", "profile", "allatclaims"] }, { scope: "openid email profile allatclaims" }],
  ])("%j", async (metadata, expected) => {
    issuer.metadata = metadata;
    issuer.checksVerifier = expected["code_challenge_method"] !== "plain";
    const { page, result } = await handOff(service, application, issuer);
    const asked = page?.searchParams;
    for (const [name, value] of Object.entries(expected)) expect([name, asked?.get(name)]).toEqual([name, value]);
    expect(asked?.get("code_challenge")).toMatch(CHALLENGE);
    expect(result?.status).toBe("COMPLETED");
    const verifier = issuer.tokenRequests[0]?.body.get("code_verifier") ?? "";
    const digest = createHash("sha256").update(verifier).digest("base64url");
    expect(asked?.get("code_challenge")).toBe(asked?.get("code_challenge_method") === "plain" ? verifier : digest);
  });

  test("a setting of the response mode comes first", async () => {
    const posted = { ...service, issuer: { ...access(), responseMode: "form_post" as const } };
    issuer.metadata = { response_modes_supported: ["query", "form_post"] };
    expect((await handOff(posted, application, issuer)).page?.searchParams.get("response_mode")).toBe("form_post");
  });

  test.each<[string, Json]>([
    ["only accepts a client's own key", { token_endpoint_auth_methods_supported: ["private_key_jwt"] }],
    ["only accepts a client's own key, as text", { token_endpoint_auth_methods_supported: "private_key_jwt" }],
    ["has no authorization code flow, as text", { response_types_supported: "code id_token" }],
    ["only accepts a client's certificate", { token_endpoint_auth_methods_supported: ["tls_client_auth"] }],
    ["has no authorization code flow", { response_types_supported: ["id_token", "token"] }],
    ["only returns a fragment", { response_modes_supported: ["fragment"] }],
    ["signs with the client secret", { id_token_signing_alg_values_supported: ["HS256", "none"] }],
  ])("no browser is sent to an issuer that %s", async (_, metadata) => {
    issuer.metadata = metadata;
    expect(await handOff(service, application, issuer)).toEqual({ page: null, result: null });
    expect((await signInToPanel(service, issuer)).outcome).toBe("unavailable");
  });
});

test.each<[string, Json]>([
  ["a lower-case type and a lifetime as text", { token_type: "bearer", expires_in: "3600" }],
  ["members that are null", { refresh_token: null, scope: null, expires_in: null }],
  ["scopes as a list and an empty refresh token", { scope: ["openid"], refresh_token: "" }],
  ["no type", { token_type: undefined }],
])("a token response may have %s", async (_, members) => {
  tokenWith(COMPLETE);
  issuer.tokenResponse = members;
  expect(await bothSignIn()).toMatchObject(isCompleted);
});

describe("the ID token", () => {
  test.each<[string, (now: number) => Json, boolean]>([
    ["for a list of this client", () => ({ aud: ["service"] }), true],
    ["for this client, as a text", () => ({ aud: "service" }), true],
    ["for another client", () => ({ aud: "another" }), false],
    ["for this client and another, issued to this", () => ({ aud: ["service", "b"], azp: "service" }), true],
    ["issued to this client", () => ({ azp: "service" }), true],
    ["issued to another client", () => ({ azp: "another" }), false],
    ["issued to another client, for a list", () => ({ aud: ["service"], azp: "another" }), false],
    ["issued to a list", () => ({ azp: ["service"] }), false],
    [
      "with times that are not whole seconds",
      (now) => ({ exp: now + 9.5, iat: now - 0.25, auth_time: now - 1.75 }),
      true,
    ],
    ["that expired 55 seconds ago", (now) => ({ exp: now - 55 }), true],
    ["that expired 65 seconds ago", (now) => ({ exp: now - 65 }), false],
    ["that is valid in 55 seconds", (now) => ({ nbf: now + 55, iat: now + 55, auth_time: now + 55 }), true],
    ["that is valid in 65 seconds", (now) => ({ nbf: now + 65 }), false],
  ])("%s", async (_, claims, isAccepted) => {
    tokenWith({ ...COMPLETE, ...claims(Math.floor(service.clock.current.getTime() / 1_000)) });
    const failed = { result: { status: "FAILED", idpSub: null }, panel: "failed" };
    expect(await bothSignIn()).toMatchObject(isAccepted ? isCompleted : failed);
  });

  test.each([
    ["without auth_time", { auth_time: undefined }, "no auth_time"],
    ["with an old auth_time", { auth_time: 1 }, "stale auth_time"],
  ])("%s does not open the panel", async (_, claims, reason) => {
    tokenWith({ ...COMPLETE, ...claims });
    expect(await signInToPanel(service, issuer)).toMatchObject({ outcome: "failed", reason });
  });

  test.each([
    [{ email: EMAIL, email_verified: false }, "email not verified"],
    [{ email: undefined }, "no email claim"],
    [{ email: "stranger@example.test" }, "not-an-admin"],
  ])("with %j names the reason", async (claims, reason) => {
    tokenWith({ ...COMPLETE, ...claims });
    issuer.answers.set("/userinfo", json({ sub: "person-1" }));
    expect(await signInToPanel(service, issuer)).toMatchObject({ outcome: "not-an-admin", reason });
  });
});

function access() {
  if (service.issuer === null) throw new Error("the service has an issuer");
  return service.issuer;
}
