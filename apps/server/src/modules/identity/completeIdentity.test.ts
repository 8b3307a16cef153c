import { describe, expect, test } from "vitest";
import { SYSTEM } from "../admin/actor.ts";
import { changeClient } from "../clients/changeClient.ts";
import {
  type Answer,
  application,
  CLIENT_SECRET,
  encode,
  hs256,
  issuer,
  type Json,
  json,
  KEYS,
  rs256,
  service,
  useIssuer,
} from "../openid/testing/forgingIssuer.ts";
import { ORIGIN } from "../testing/builders.ts";
import { startIdentity } from "../testing/calls.ts";
import { createEventEndpoint } from "../testing/rows.ts";
import { completeIdentity } from "./completeIdentity.ts";
import { launchIdentity } from "./launchIdentity.ts";
import { redeemIdentityResult } from "./redeemIdentityResult.ts";

useIssuer();

/** An identity session after consent at the issuer, before the callback. */
async function consented() {
  const session = await startIdentity(service, application);
  const launched = await launchIdentity(service, { launchToken: session.launchToken.reveal(), origin: ORIGIN });
  if (launched.outcome !== "redirect") throw new Error(`the launch returned ${launched.outcome}`);
  const { browserSecret, location } = launched;
  const code = issuer.consent(location);
  const state = location.searchParams.get("state") ?? "";
  const returnWith = (answer: Record<string, string>) =>
    completeIdentity(service, {
      query: new URLSearchParams({ state, ...answer }),
      browserSecretOf: () => browserSecret.reveal(),
    });
  return {
    code,
    comeBack: (answer: Record<string, string> = {}) => returnWith({ code, ...answer }),
    deny: () => returnWith({ error: "access_denied" }),
    resultProof: session.resultProof.reveal(),
    redeem: (resultProof = session.resultProof.reveal()) =>
      redeemIdentityResult(service, application.caller, {
        id: session.id,
        tenantKey: application.tenantKey,
        resultProof,
      }),
  };
}

async function endsFailed(answer: Record<string, string> = {}): Promise<void> {
  const visit = await consented();
  expect((await visit.comeBack(answer)).outcome).toBe("ended");
  expect(await visit.redeem()).toMatchObject({ status: "FAILED", idpSub: null, email: null });
}

test("returns the user of an honest issuer", async () => {
  const visit = await consented();
  await visit.comeBack();
  expect(await visit.redeem()).toMatchObject({ status: "COMPLETED", idpSub: "person-1", email: "person@example.test" });
});

test("another proof, also of another session, is NOT_FOUND and uses nothing up", async () => {
  const [visit, other] = [await consented(), await consented()];
  await visit.comeBack();
  for (const proof of [other.resultProof, "0".repeat(64)])
    await expect(visit.redeem(proof)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await visit.redeem()).toMatchObject({ status: "COMPLETED" });
});

describe("claims of the issuer", () => {
  const clean = { name: "Ada", picture: "https://a.example/ada.png", email: "ada@a.example" };
  test.each<[string, Json, Json]>([
    ["that are harmless", {}, { name: "Ada", pictureUrl: clean.picture, email: clean.email }],
    ["with a script as picture", { picture: "javascript:alert(1)" }, { pictureUrl: null }],
    ["with data as picture", { picture: "data:image/png;base64,AA" }, { pictureUrl: null }],
    ["with an object as picture", { picture: { url: clean.picture } }, { pictureUrl: null }],
    ["with a long picture", { picture: `https://a.example/${"x".repeat(100_000)}` }, { pictureUrl: null }],
    ["with NUL", { name: "A\0da", email: "ada\0@a.example" }, { name: "Ada", email: null }],
    [
      "with lone surrogates",
      { name: "Ada \ud83d", picture: "https://a.example/\ud83d" },
      { name: "Ada \ufffd", pictureUrl: null },
    ],
    ["with an override", { name: "\u202eAda", email: "\u202eada@a.example" }, { name: "Ada", email: null }],
    ["with line breaks", { name: "Ada\r\nLovelace" }, { name: "Ada Lovelace" }],
    ["with a long name", { name: "x".repeat(100_000) }, { name: "x".repeat(1_000) }],
    ["with a blank name", { name: " \u200e\n", email: "" }, { email: null }],
    [
      "of other types",
      { name: 7, email: ["a"], email_verified: ["1"] },
      { name: null, email: null, emailVerified: null },
    ],
  ])("%s are cleaned, and links are http or https", async (_, claims, shown) => {
    issuer.answers.set("/userinfo", json({ sub: "person-1", ...clean, ...claims }));
    const visit = await consented();
    await visit.comeBack();
    expect(await visit.redeem()).toMatchObject({ status: "COMPLETED", idpSub: "person-1", ...shown });
  });

  test.each(["a\0b", "\ud83d", "x".repeat(256)])(
    "a subject that cannot be stored ends the sign-in: %j",
    async (sub) => {
      issuer.answers.set("/userinfo", json({ sub }));
      issuer.idToken = (claims) => rs256({}, { ...claims, sub });
      await endsFailed();
    },
  );
});

describe("rejects an ID token", () => {
  const publicPem = KEYS.published.publicKey.export({ type: "spki", format: "pem" });
  const modulus = KEYS.published.publicKey.export({ format: "jwk" }).n ?? "";
  const forgeries: Readonly<Record<string, (claims: Json) => string>> = {
    "without a signature": (claims) => `${encode({ alg: "none" })}.${encode(claims)}.`,
    "without a signature, with another spelling of the algorithm": (claims) =>
      `${encode({ alg: "nOnE" })}.${encode(claims)}.`,
    "with another token's signature": (claims) => {
      const [header, , signature] = rs256({}, { ...claims, sub: "another" }).split(".");
      return `${header}.${encode(claims)}.${signature}`;
    },
    "signed with the public key's PEM as an HMAC secret": (claims) => hs256(claims, String(publicPem)),
    "signed with the public key's modulus as an HMAC secret": (claims) =>
      hs256(claims, Buffer.from(modulus, "base64url")),
    "signed with the client secret": (claims) => hs256(claims, CLIENT_SECRET),
    "with an embedded key": (claims) =>
      rs256({ jwk: KEYS.attackers.publicKey.export({ format: "jwk" }) }, claims, KEYS.attackers.privateKey),
    "with a key URL": (claims) =>
      rs256({ jku: `${issuer.url}/jwks`, kid: "attackers" }, claims, KEYS.attackers.privateKey),
    "with the key ID of another published key": (claims) => rs256({ kid: "alsoPublished" }, claims),
    "with an unknown critical header": (claims) => rs256({ crit: ["exotic"], exotic: true }, claims),
    "issued to another client": (claims) => rs256({}, { ...claims, azp: "another" }),
    "with an additional audience as authorized party": (claims) =>
      rs256({}, { ...claims, aud: ["service", "b"], azp: "b" }),
    "for another client": (claims) => rs256({}, { ...claims, aud: "another" }),
    "without an audience": ({ aud: _, ...claims }) => rs256({}, claims),
    "of another issuer": (claims) => rs256({}, { ...claims, iss: `${claims["iss"]}/` }),
    "that has expired": (claims) => rs256({}, { ...claims, exp: Number(claims["iat"]) - 65 }),
    "without an expiry": ({ exp: _, ...claims }) => rs256({}, claims),
    "that is not valid yet": (claims) => rs256({}, { ...claims, nbf: Number(claims["iat"]) + 600 }),
    "with another nonce": (claims) => rs256({}, { ...claims, nonce: "another" }),
    "without a nonce": ({ nonce: _, ...claims }) => rs256({}, claims),
    "without a subject": ({ sub: _, ...claims }) => rs256({}, claims),
    "that is not a JWT": () => "a.b.c",
  };
  test.each(Object.entries(forgeries))("%s", async (_, forge) => {
    issuer.idToken = forge;
    await endsFailed();
    expect(issuer.tokenRequests).toHaveLength(1);
  });

  test.each(["none", "HS256"])("with %s, even if the issuer's metadata allows it", async (algorithm) => {
    issuer.metadata = { id_token_signing_alg_values_supported: ["RS256", algorithm] };
    issuer.idToken = (claims) =>
      algorithm === "none" ? `${encode({ alg: "none" })}.${encode(claims)}.` : hs256(claims, CLIENT_SECRET);
    await endsFailed();
  });
});

describe("rejects an issuer", () => {
  const redirect: Answer = (response) => response.writeHead(307, { location: `${issuer.url}/userinfo` }).end();
  test.each<[string, string, Answer]>([
    ["that redirects the token request", "/token", redirect],
    ["that redirects the key request", "/jwks", redirect],
    ["with an oversized key set", "/jwks", json({ keys: [], padding: "a".repeat(5_000_000) })],
    ["with an HTML token response", "/token", (response) => response.end("<html>")],
    ["whose user info has another subject", "/userinfo", json({ sub: "person-2" })],
  ])("%s", async (_, path, answer) => {
    issuer.answers.set(path, answer);
    await endsFailed();
  });

  test.each<[string, Json]>([
    ["that changed its issuer identifier", { issuer: "https://another.example" }],
    ["with a token endpoint inside the network", { token_endpoint: "http://169.254.169.254/token" }],
    ["with a key URL on the loopback address in IPv6 form", { jwks_uri: "http://[::ffff:127.0.0.1]:9/jwks" }],
    ["with a file URL for user info", { userinfo_endpoint: "file:///etc/passwd" }],
  ])("%s after the launch", async (_, metadata) => {
    const visit = await consented();
    issuer.metadata = metadata;
    await visit.comeBack();
    expect(await visit.redeem()).toMatchObject({ status: "FAILED", idpSub: null });
    expect(issuer.tokenRequests).toHaveLength(0);
  });
});

test("does not exchange the code of another issuer's response", async () => {
  await endsFailed({ iss: "https://another.example" });
  expect(issuer.tokenRequests).toHaveLength(0);
});

test.each([true, false])("rejects a code of another session, with the issuer's PKCE check: %s", async (pkce) => {
  issuer.checksVerifier = pkce;
  const [victim, attacker] = [await consented(), await consented()];
  await attacker.comeBack({ code: victim.code });
  expect(await attacker.redeem()).toMatchObject({ status: "FAILED", idpSub: null });
});

test("exchanges the code for one of twenty concurrent callbacks", async () => {
  const visit = await consented();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => visit.comeBack()));
  expect(outcomes.filter(({ outcome }) => outcome === "ended")).toHaveLength(1);
  expect(outcomes.filter(({ outcome }) => outcome === "state-used")).toHaveLength(19);
  expect(issuer.tokenRequests).toHaveLength(1);
  expect(await visit.redeem()).toMatchObject({ status: "COMPLETED" });
});

test("keeps a session ended that was ended during the redirect", async () => {
  const visit = await consented();
  issuer.beforeUserInfo = async () => {
    await changeClient(service, SYSTEM, application.id, "setClientEnabled", { enabled: false });
    await changeClient(service, SYSTEM, application.id, "setClientEnabled", { enabled: true });
  };
  expect(await visit.comeBack()).toMatchObject({ outcome: "ended", attempt: { status: "FAILED", resultSealed: null } });
  expect(await visit.redeem()).toMatchObject({ status: "FAILED", idpSub: null, email: null });
});

test("rejects a sealed verifier moved from another session", async () => {
  const [first, second] = [await consented(), await consented()];
  const rows = await service.prisma.identityAttempt.findMany({ orderBy: { createdAt: "asc" } });
  const [one, two] = rows.map(({ id, exchangeSealed }) => ({ id, exchangeSealed }));
  for (const [to, from] of [
    [one, two],
    [two, one],
  ] as const) {
    await service.prisma.identityAttempt.updateMany({
      where: { id: to?.id ?? "" },
      data: { exchangeSealed: from?.exchangeSealed ?? null },
    });
  }
  for (const visit of [first, second]) await expect(visit.comeBack()).rejects.toThrow();
  expect(issuer.tokenRequests).toHaveLength(0);
});

test("tells the application's backend how a sign-in ended, once", async () => {
  await createEventEndpoint(service, application);
  const [completed, denied, failed] = [await consented(), await consented(), await consented()];
  for (const answer of [{}, {}]) await completed.comeBack(answer);
  await denied.deny();
  issuer.answers.set("/token", json({ error: "invalid_grant" }));
  await failed.comeBack();
  await completed.redeem();
  issuer.beHonest();
  const where = { applicationId: application.id };
  const events = await service.prisma.event.findMany({ where, orderBy: { type: "asc" } });
  const { tenantKey } = application;
  expect(events).toMatchObject([
    { type: "identity.completed", status: "COMPLETED", tenantKey, externalSubjectId: null, provider: null },
    { type: "identity.denied", status: "DENIED", code: null },
    { type: "identity.failed", status: "FAILED" },
  ]);
  expect(JSON.stringify(events)).not.toContain("person");
});

test("an event that cannot be stored leaves the sign-in pending", async () => {
  await createEventEndpoint(service, application);
  const visit = await consented();
  await service.pool.query("ALTER TABLE event ADD CONSTRAINT fail CHECK (false) NOT VALID");
  await expect(visit.deny()).rejects.toThrow();
  await service.pool.query("ALTER TABLE event DROP CONSTRAINT fail");
  expect(await visit.redeem()).toMatchObject({ status: "PENDING" });
  await visit.deny();
  expect(await visit.redeem()).toMatchObject({ status: "DENIED" });
});
