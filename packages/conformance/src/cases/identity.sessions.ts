import { BURST, concurrently, DATE_TIME } from "../context/findings.ts";
import { MINUTE_MS } from "../context/jobs.ts";
import type { Steps } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";
import { launchOriginCases } from "./support/launchOrigins.ts";
import { NEARLY } from "./support/returnUrls.ts";

async function createMany(t: Steps, count: number) {
  const input = t.identityInput();
  return concurrently(count, () => t.call("createIdpIdentitySession", { input }));
}

export const IDENTITY_SESSION_CASES = defineCases({}, (test) => {
  test("S2.IdpIdentitySession.fields: An identity session has a launch URL, two secrets, and deadlines after 10 and 20 minutes.", async (t) => {
    const before = await t.now();
    const session = await t.createIdentity();
    t.equal(session.launchUrl, `${t.target.connectHost}/api/identity/redeem`, "launchUrl");
    t.matches(session.launchToken, /^\S{32,}$/, "launchToken");
    t.matches(session.resultProof, /^\S{32,}$/, "resultProof");
    t.holds(session.launchToken !== session.resultProof, "the two secrets differ");
    t.matches(session.expiresAt, DATE_TIME, "expiresAt");
    t.near(session.expiresAt, before.getTime() + 10 * MINUTE_MS, 30_000, "expiresAt is 10 minutes after creation");
    const resultEndMs = before.getTime() + 20 * MINUTE_MS;
    t.near(session.resultExpiresAt, resultEndMs, 30_000, "resultExpiresAt is 20 minutes after creation");
    const other = await t.createIdentity();
    t.holds(other.id !== session.id, "another session has another id");
    t.holds(other.launchToken !== session.launchToken, "and another launch token");
    t.holds(other.resultProof !== session.resultProof, "and another proof");
  });
  test("S2.IdpIdentityInput.tenantKey: An identity session for a tenant that is not registered is FORBIDDEN.", async (t) => {
    const [registered] = t.application.tenantKeys;
    for (const tenantKey of [`${registered}-other`, registered.toUpperCase(), ` ${registered}`, crypto.randomUUID()])
      await t.refusesIdentity({ tenantKey }, "FORBIDDEN", tenantKey);
    for (const tenantKey of t.application.tenantKeys) await t.createIdentity({ tenantKey });
  });
  test("S2.IdpIdentityInput.returnUrl: An identity session returns only to a registered identity return URL, equal byte for byte.", async (t) => {
    const { identityReturnUrl: good, returnUrl: ofConnect, webOrigin } = t.application;
    const similar = Object.values(NEARLY).map((change) => change(good));
    const others = [...similar, `${good}?ss_status=COMPLETED`, `${webOrigin}/`, "https://evil.example/", ofConnect];
    for (const returnUrl of others.filter((one) => one !== good))
      await t.refusesIdentity({ returnUrl }, "BAD_USER_INPUT", returnUrl);
    await t.createIdentity();
  });
  test("S4.createIdpIdentitySession.unavailable: An application that may not use the handoff gets CAPABILITY_UNAVAILABLE, and its readiness agrees.", async (t) => {
    t.equal((await t.get("integrationReadiness", {})).idpIdentityAvailable, true, "readiness where it is allowed");
    const waiting = await t.createIdentity();
    await t.setIdentity(false);
    t.equal((await t.get("integrationReadiness", {})).idpIdentityAvailable, false, "readiness where it is not");
    await t.refusesIdentity({}, "CAPABILITY_UNAVAILABLE");
    t.holds((await t.postLaunch(waiting)).status >= 400, "an earlier session launches nothing");
    await t.setIdentity(true);
    await t.createIdentity();
  }).with({ needs: ["operator"] });
  test("S5.identity.application-disabled: A disabled application neither creates, launches nor redeems an identity session.", async (t) => {
    const session = await t.createIdentity();
    await t.setEnabled(false);
    await t.refusesIdentity({}, "FORBIDDEN");
    await t.refuses("redeemIdpIdentityResult", t.proofOf(session), "FORBIDDEN");
    t.holds((await t.postLaunch(session)).status >= 400, "no launch");
    await t.setEnabled(true);
    t.equal((await t.redeem(await t.signedIn())).status, "COMPLETED", "after enabling it works again");
  }).with({ needs: ["operator", "identity"] });
  test("S3.identity.launch: A launch form redirects to the issuer with state, nonce and PKCE S256, and with no secret in the URL.", async (t) => {
    const session = await t.createIdentity();
    const visit = await t.postLaunch(session);
    t.equal(visit.status, 303, "HTTP status");
    const address = visit.location;
    t.holds(String(address).startsWith(t.driver("identity").issuer), "it is the issuer's", address?.origin);
    const query = address?.searchParams ?? new URLSearchParams();
    t.equal(query.get("response_type"), "code", "response_type");
    t.holds((query.get("scope") ?? "").split(" ").includes("openid"), "scope", query.get("scope"));
    t.matches(query.get("state"), /^.{20,}$/, "state");
    t.matches(query.get("nonce"), /^.{20,}$/, "nonce");
    t.equal(query.get("code_challenge_method"), "S256", "code_challenge_method");
    t.matches(query.get("code_challenge"), /^[\w-]{43}$/, "code_challenge");
    for (const secret of [session.launchToken, session.resultProof])
      t.holds(!`${address}${visit.text}`.includes(secret), "no secret of the session goes to the issuer");
    t.launchHeaders(visit);
    t.launchCookie(visit);
  }).with({ needs: ["identity"] });
  test("S2.identity.launchToken.once: One of 20 posts of one identity launch token is accepted; a later post gets an error page with 410.", async (t) => {
    const session = await t.createIdentity();
    const visits = await concurrently(20, () => t.postLaunch(session));
    t.equal(visits.filter((visit) => visit.status === 303).length, 1, "redirects to the issuer");
    t.errorPage(await t.postLaunch(session), [410], "a later post");
    const got = await t.browser().get(session.launchUrl);
    t.errorPage(got, [405], "a GET");
    t.equal(got.headers.get("allow"), "POST", "Allow of a GET");
    const other = await t.createIdentity();
    t.errorPage(await t.postLaunch({ ...other, launchToken: other.resultProof }), [410], "the proof as launch token");
    t.equal((await t.postLaunch(other)).status, 303, "its own token is accepted");
  }).with({ needs: ["identity"], holds: [BURST] });
  launchOriginCases(test, "identity", "another-application", (t) => t.createIdentity(), ["identity"]);
  test("S2.identity.launchToken.own-door: A launch token of one kind is invalid at the endpoint of the other kind.", async (t) => {
    const session = await t.createIdentity();
    const launchUrl = `${t.target.connectHost}/api/connect/redeem`;
    t.errorPage(await t.postLaunch({ ...session, launchUrl }), [410], "an identity token at Connect");
    t.holds((await t.launched(session, t.browser())).startsWith(t.driver("identity").issuer), "it is still valid");
  }).with({ needs: ["identity"] });
  test("S8.unfinished-identities.exact: Exactly 20 of 40 concurrent identity sessions succeed; another application is not affected.", async (t) => {
    for (const { retryAfterSeconds } of t.exactly(20, await createMany(t, 40), ["RATE_LIMITED"]).failures) {
      const seconds = retryAfterSeconds ?? 0;
      t.holds(Number.isInteger(seconds) && seconds > 500 && seconds <= 600, "retryAfterSeconds", seconds);
    }
    const tenantKey = t.application.tenantKeys[1] ?? t.application.tenantKeys[0];
    await t.refusesIdentity({ tenantKey }, "RATE_LIMITED", "tenants share the application's limit");
    const other = await t.anotherApplication();
    const input = { tenantKey: other.tenantKeys[0], returnUrl: other.identityReturnUrl };
    const outcome = await t.callWith(t.caller(other.key), "createIdpIdentitySession", { input });
    t.holds(t.value(outcome).id.length > 0, "another application");
  }).with({ needs: ["operator"] });
  test("S8.unfinished-identities.finished-do-not-count: An identity session that has ended allows another, whether or not it was redeemed.", async (t) => {
    const sessions = (await createMany(t, 20)).map((outcome) => t.value(outcome));
    await t.refusesIdentity({}, "RATE_LIMITED");
    const [completed, denied, launchedOnly] = sessions;
    if (completed === undefined || denied === undefined || launchedOnly === undefined) return;
    await t.launched(launchedOnly, t.browser());
    await t.refusesIdentity({}, "RATE_LIMITED", "a session that was only launched is pending");
    await t.walkThrough(completed, { person: "ada" });
    await t.walkThrough(denied, { person: "ada", decision: "deny" });
    // Two ended, so two more are possible.
    t.exactly(2, await createMany(t, 6), ["RATE_LIMITED"]);
  }).with({ needs: ["identity", "operator"] });
});
