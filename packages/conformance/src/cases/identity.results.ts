import type { IdpIdentitySession } from "../_generated/consumerWire.ts";
import { BURST, concurrently } from "../context/findings.ts";
import { MARGIN_MS } from "../context/jobs.ts";
import { issuerCallback, NO_IDENTITY, type Steps } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";

/** Ways to forge an issuer's response; each has to end the handoff. */
const ISSUER_FAULTS = [
  "wrong-nonce",
  "missing-nonce",
  "wrong-audience",
  "wrong-issuer",
  "broken-signature",
  "unknown-key",
  "no-signature",
  "expired",
  "wrong-response-issuer",
  "wrong-userinfo-subject",
] as const;

/** Whether their email addresses are verified. `verified-as-one` and the like have issuers that say "1", 1 or "0". */
const PEOPLE = {
  ...{ ada: true, ben: false, cleo: null, "no-email": null, unicode: true },
  ...{ "verified-as-one": true, "verified-as-number": true, "unverified-as-zero": false },
};

/** The target of the redirect: the registered URL with the two parameters and no secret. */
function returns(t: Steps, location: URL | null, session: IdpIdentitySession, status: string): void {
  const wanted = new URL(t.application.identityReturnUrl);
  wanted.searchParams.set("ss_session_id", session.id);
  wanted.searchParams.set("ss_status", status);
  t.equal(String(location), String(wanted), "the redirect's target");
}

export const IDENTITY_RESULT_CASES = defineCases({ needs: ["identity"] }, (test) => {
  test("S3.identity.callback-ahead: HEAD, prefetches and previews of the callback change nothing; the person's own GET completes the session.", async (t) => {
    const { session, browser, page } = await t.launchedIdentity();
    const callback = await t.driver("identity").signIn(page, { person: "ada" });
    await t.visitAhead(browser, callback);
    t.equal((await t.redeem(session)).status, "PENDING", "status after them");
    returns(t, (await browser.get(callback)).location, session, "COMPLETED");
    t.equal((await t.redeem(session)).status, "COMPLETED", "status at the end");
  });
  for (const [person, emailVerified] of Object.entries(PEOPLE))
    test(`S3.identity.completed-${person}: A user who signs in ("${person}") ends the session COMPLETED, and the result identifies them, once.`, async (t) => {
      const session = await t.createIdentity();
      t.equal(await t.redeem(session), { status: "PENDING", ...NO_IDENTITY }, "before");
      const { visit } = await t.walkThrough(session, { person });
      t.equal(visit.status, 303, "HTTP status of the redirect");
      returns(t, visit.location, session, "COMPLETED");
      const result = await t.redeem(session);
      const { issuer } = t.driver("identity");
      t.shows(result, { status: "COMPLETED", issuer, emailVerified }, "status, issuer and emailVerified");
      t.matches(result.idpSub, /./, "idpSub");
      t.equal(result.email, person === "no-email" ? null : `${person}@example.test`, "email");
      t.matches(result.name, person === "unicode" ? /統一/ : /./, "name");
      if (person === "no-email") t.equal(result.pictureUrl, null, "pictureUrl");
      else t.matches(result.pictureUrl, /^https?:/, "pictureUrl");
      await t.refuses("redeemIdpIdentityResult", t.proofOf(session), "NOT_FOUND", "the second redeem");
    });
  test("S2.IdpIdentityResult.idpSub: A user who signs in twice has the same issuer and idpSub both times, and no other user has.", async (t) => {
    const subjects: (string | null)[] = [];
    for (const person of ["ada", "ada", "ben"]) subjects.push((await t.redeem(await t.signedIn({ person }))).idpSub);
    t.equal(subjects[0], subjects[1], "the same user");
    t.holds(subjects[0] !== subjects[2], "another user");
  });
  test("S3.identity.pending-keeps-proof: A redeem of a pending session returns PENDING any number of times and does not consume the proof.", async (t) => {
    const session = await t.createIdentity();
    const pending = { status: "PENDING", ...NO_IDENTITY };
    t.equal(await t.redeem(session), pending, "before the launch");
    const browser = t.browser();
    const page = await t.launched(session, browser);
    const results = await concurrently(20, () => t.redeem(session));
    for (const result of results) t.equal(result, pending, "between launch and sign-in, 20 concurrently");
    const callback = await t.driver("identity").signIn(page, { person: "ada" });
    t.equal(await t.redeem(session), pending, "signed in, but before the callback");
    await browser.get(callback);
    t.equal((await t.redeem(session)).status, "COMPLETED", "the proof is still valid");
  }).with({ holds: [BURST] });
  for (const { how, choice } of [
    { how: "by-person", choice: { person: "ada", decision: "deny" as const } },
    { how: "by-account", choice: { person: "deny" } },
  ] as const)
    test(`S3.identity.denied-${how}: A sign-in that is declined (${how}) ends DENIED, reveals no user and consumes the proof.`, async (t) => {
      const session = await t.createIdentity();
      const { visit } = await t.walkThrough(session, choice);
      returns(t, visit.location, session, "DENIED");
      await t.endsWithoutIdentity(session, "DENIED");
    });
  for (const [name, answer] of Object.entries<Readonly<Record<string, string>>>({
    "server-error": { error: "server_error", error_description: "<b>broken</b>" },
    "login-required": { error: "login_required" },
    "unknown-code": { code: "0".repeat(43) },
    "no-code": {},
    "huge-code": { code: "a".repeat(16_000) },
  }))
    test(`S3.identity.failed-${name}: A callback with ${name.replace("-", " ")} ends FAILED, reveals no user and consumes the proof.`, async (t) => {
      const { session, browser, page } = await t.launchedIdentity();
      const visit = await browser.get(issuerCallback(page, answer));
      t.holds(visit.status < 500, "no internal error", visit.status);
      if (visit.status === 303) returns(t, visit.location, session, "FAILED");
      await t.endsWithoutIdentity(session, "FAILED");
    });
  for (const fault of ISSUER_FAULTS)
    test(`S3.identity.lie-${fault}: A forged issuer response (${fault}) ends the session FAILED.`, async (t) => {
      const issuer = t.driver("identity");
      const session = await t.createIdentity();
      await issuer.setFaults([fault]);
      try {
        const { visit } = await t.walkThrough(session, { person: "ada" });
        t.holds(visit.status < 500, "no internal error", visit.status);
      } finally {
        await issuer.setFaults([]);
      }
      await t.endsWithoutIdentity(session, "FAILED");
      t.equal((await t.redeem(await t.signedIn())).status, "COMPLETED", "the same without the forgery");
    }).with({ lane: "alone" });
  test("S3.identity.exactly-once: One of 50 concurrent redeems gets the result and 49 get NOT_FOUND.", async (t) => {
    for (const decision of ["allow", "deny"] as const) {
      const session = await t.signedIn({ person: "ada", decision });
      const outcomes = await concurrently(50, () => t.call("redeemIdpIdentityResult", t.proofOf(session)));
      const status = decision === "allow" ? "COMPLETED" : "DENIED";
      t.shows(t.exactly(1, outcomes, ["NOT_FOUND"]).values[0], { status }, "the returned result");
    }
  }).with({ holds: [BURST] });
  test("S4.redeem.wrong-proof: A wrong proof is NOT_FOUND and consumes nothing, in any form.", async (t) => {
    const session = await t.signedIn();
    const other = await t.createIdentity();
    const right = t.proofOf(session);
    const proof = session.resultProof;
    const proofs = [
      "",
      "x",
      "0".repeat(proof.length),
      proof.slice(1),
      `${proof} `,
      `${proof}0`,
      proof.toUpperCase(),
      proof.toLowerCase(),
      session.launchToken,
      other.resultProof,
      "a".repeat(10_000),
    ].filter((one) => one !== proof);
    for (const resultProof of proofs)
      await t.refuses("redeemIdpIdentityResult", { ...right, resultProof }, "NOT_FOUND");
    t.equal((await t.redeem(session)).status, "COMPLETED", "the correct proof is intact");
    t.equal((await t.redeem(other)).status, "PENDING", "and so is the other session's");
  });
  test("S4.redeem.wrong-place: A proof with another tenant, another application or another id is NOT_FOUND and consumes nothing.", async (t) => {
    const session = await t.signedIn();
    const right = t.proofOf(session);
    const second = t.application.tenantKeys[1] ?? "other";
    for (const tenantKey of [second, "not-registered", right.tenantKey.toUpperCase()])
      await t.refuses("redeemIdpIdentityResult", { ...right, tenantKey }, "NOT_FOUND", `tenant ${tenantKey}`);
    for (const id of [crypto.randomUUID(), "", "none", `${right.id}0`])
      await t.refuses("redeemIdpIdentityResult", { ...right, id }, "NOT_FOUND", `id "${id}"`);
    await t.refusesOtherApplication("redeemIdpIdentityResult", right);
    t.equal((await t.redeem(session)).status, "COMPLETED", "the proof is intact");
  }).with({ needs: ["identity", "operator"] });
  test("S3.identity.foreign-browser: A callback in a browser that did not launch the session is refused, and the session remains pending.", async (t) => {
    const { session, browser, page } = await t.launchedIdentity();
    const callback = await t.driver("identity").signIn(page, { person: "ada" });
    t.errorPage(await t.browser().get(callback), [400, 403], "a browser without the cookie");
    const { browser: stranger } = await t.launchedIdentity();
    t.errorPage(await stranger.get(callback), [400, 403], "a browser with a cookie of a different session");
    t.equal((await t.redeem(session)).status, "PENDING", "nothing has changed");
    returns(t, (await browser.get(callback)).location, session, "COMPLETED");
  });
  test("S3.identity.state-once: A callback works once: repeated, it gets a page, and the result is unchanged.", async (t) => {
    const { session, browser, page } = await t.launchedIdentity();
    const callback = await t.driver("identity").signIn(page, { person: "ada" });
    t.equal((await browser.get(callback)).status, 303, "the first time");
    t.errorPage(await browser.get(callback), [400, 403, 410], "the second time");
    const denial = issuerCallback(page, { error: "access_denied" });
    t.errorPage(await browser.get(denial), [400, 403, 410], "a denial afterwards");
    t.equal((await t.redeem(session)).status, "COMPLETED", "the result");
    for (const state of ["", "unknown", "a".repeat(16_000)]) {
      const unknown = new URL(callback);
      unknown.searchParams.set("state", state);
      t.errorPage(await browser.get(unknown), [400, 403, 410, 414, 431], `state of ${state.length} characters`);
    }
  });
  test("S3.identity.foreign-code: A code that was issued for another session identifies no user.", async (t) => {
    const issuer = t.driver("identity");
    const theirs = await issuer.signIn((await t.launchedIdentity()).page, { person: "ada" });
    const { session, browser, page } = await t.launchedIdentity();
    const callback = await issuer.signIn(page, { person: "ben" });
    callback.searchParams.set("code", theirs.searchParams.get("code") ?? "");
    await browser.get(callback);
    await t.endsWithoutIdentity(session, "FAILED");
  });
  test("S3.identity.two-tabs: Two sessions launched in one browser both complete.", async (t) => {
    const browser = t.browser();
    const [first, second] = [await t.createIdentity(), await t.createIdentity()];
    const [firstPage, secondPage] = [await t.launched(first, browser), await t.launched(second, browser)];
    const issuer = t.driver("identity");
    await browser.get(await issuer.signIn(secondPage, { person: "ben", decision: "deny" }));
    await browser.get(await issuer.signIn(firstPage, { person: "ada" }));
    t.shows(await t.redeem(first), { status: "COMPLETED", email: "ada@example.test" }, "the first");
    t.equal((await t.redeem(second)).status, "DENIED", "the second");
  });
});

export const IDENTITY_DEADLINE_CASES = defineCases({ lane: "timeline", needs: ["clock", "identity"] }, (test) => {
  for (const how of ["created", "launched"] as const)
    test(`S8.identity-deadline.${how}: A session that was only ${how} is PENDING until 10 minutes after creation, then EXPIRED, which consumes the proof.`, async (t) => {
      const session = await t.createIdentity();
      if (how === "launched") await t.launched(session, t.browser());
      await t.until(session.expiresAt, -MARGIN_MS);
      t.equal((await t.redeem(session)).status, "PENDING", "shortly before the deadline");
      await t.until(session.expiresAt, 1_000);
      await t.endsWithoutIdentity(session, "EXPIRED");
    });
  test("S8.identity-deadline.launch: A launch form posted after the deadline gets an error page; before it, it is accepted.", async (t) => {
    const [early, late] = [await t.createIdentity(), await t.createIdentity()];
    await t.until(early.expiresAt, -MARGIN_MS);
    t.equal((await t.postLaunch(early)).status, 303, "shortly before the deadline");
    await t.until(late.expiresAt, 1_000);
    t.errorPage(await t.postLaunch(late), [410], "after the deadline");
    await t.endsWithoutIdentity(late, "EXPIRED");
  });
  test("S8.identity-deadline.callback: A callback after the deadline gets an error page, and the session is EXPIRED.", async (t) => {
    const [early, late] = [await t.launchedIdentity(), await t.launchedIdentity()];
    const issuer = t.driver("identity");
    await t.until(early.session.expiresAt, -MARGIN_MS);
    await early.browser.get(await issuer.signIn(early.page, { person: "ada" }));
    const callback = await issuer.signIn(late.page, { person: "ada" });
    await t.until(late.session.expiresAt, 1_000);
    t.errorPage(await late.browser.get(callback), [410], "after the deadline");
    await t.endsWithoutIdentity(late.session, "EXPIRED");
    t.equal((await t.redeem(early.session)).status, "COMPLETED", "the callback that was in time");
  });
  test("S8.identity-deadline.makes-room: Expired sessions no longer count against the 20.", async (t) => {
    const deadlines = (await concurrently(20, () => t.createIdentity())).map((session) => session.expiresAt).sort();
    const [oldest = "", newest = ""] = [deadlines[0], deadlines.at(-1)];
    const input = t.identityInput();
    await t.until(oldest, -MARGIN_MS);
    const refused = await t.refuses("createIdpIdentitySession", { input }, "RATE_LIMITED");
    const seconds = refused.retryAfterSeconds ?? 0;
    const isAtDeadline = seconds >= 1 && seconds <= MARGIN_MS / 1_000;
    t.holds(isAtDeadline, "retryAfterSeconds ends at the oldest session's deadline", seconds);
    await t.until(newest, 1_000);
    const created = await concurrently(40, () => t.call("createIdpIdentitySession", { input }));
    t.exactly(20, created, ["RATE_LIMITED"]);
  }).with({ needs: ["clock", "operator"] });
  test("S8.identity-readability: Every result is available until 20 minutes after creation and then NOT_FOUND.", async (t) => {
    const [inTime, tooLate] = [await t.signedIn(), await t.signedIn()];
    const [expiredInTime, expiredTooLate] = [await t.createIdentity(), await t.createIdentity()];
    await t.until(inTime.resultExpiresAt, -MARGIN_MS);
    t.equal((await t.redeem(inTime)).status, "COMPLETED", "a result, shortly before");
    t.equal((await t.redeem(expiredInTime)).status, "EXPIRED", "an unfinished session, shortly before");
    await t.until(expiredTooLate.resultExpiresAt, 1_000);
    await t.refuses("redeemIdpIdentityResult", t.proofOf(tooLate), "NOT_FOUND", "a result, after 20 minutes");
    await t.refuses("redeemIdpIdentityResult", t.proofOf(expiredTooLate), "NOT_FOUND", "an unfinished session");
  });
});
