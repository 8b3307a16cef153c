import { BURST, concurrently } from "../context/findings.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";
import { launchOriginCases } from "./support/launchOrigins.ts";

const REFUSED = [400, 403];
export const LAUNCH_CASES = defineCases({}, (test) => {
  for (const provider of PROVIDERS)
    test(`S3.attempt.launch-${provider}: A launch form redirects to ${provider}'s consent page with state, and PKCE S256 where the provider supports it.`, async (t) => {
      const session = await t.createSession({ provider });
      const visit = await t.postLaunch(session);
      t.equal(visit.status, 303, "HTTP status");
      const query = visit.location?.searchParams ?? new URLSearchParams();
      t.matches(query.get("state"), /^.{20,}$/, "state");
      t.equal(query.get("response_type"), "code", "response_type");
      if (PROVIDER_FACTS[provider].takesChallenge) {
        t.equal(query.get("code_challenge_method"), "S256", "code_challenge_method");
        // A SHA-256 in base64url, or in hexadecimal where the provider expects that.
        t.matches(query.get("code_challenge"), /^(?:[\w-]{43}|[0-9a-f]{64})$/, "code_challenge");
      }
      t.holds(!String(visit.location).includes(session.launchToken), "the launch token is in no URL");
      t.equal((await t.resultOf(session)).status, "AUTHORIZING", "status");
    });
  for (const provider of PROVIDERS)
    test(`S3.attempt.launch-account-choice-${provider}: A user of ${provider} chooses the account: at each launch, or once they have a connection of it, and not for a reconnect.`, async (t) => {
      const { accounts, accountChoice } = PROVIDER_FACTS[provider];
      const scope = t.scope();
      const names = Object.keys({ ...accountChoice.always, ...accountChoice.another });
      const asked = async (reconnectConnectionId: string | null) => {
        const session = await t.createSession({ provider, scope, reconnectConnectionId });
        const query = new URL(await t.launched(session, t.browser())).searchParams;
        return Object.fromEntries(names.map((name) => [name, query.get(name)]));
      };
      const without = Object.fromEntries(names.map((name) => [name, accountChoice.always[name] ?? null]));
      t.shows(await asked(null), without, "the first account");
      const { connectionId } = await t.connect({ provider, scope, account: accounts.ordinary });
      t.shows(await asked(null), { ...without, ...accountChoice.another }, "another account");
      t.shows(await asked(connectionId), without, "the same account again");
    });
  test("S3.attempt.launch-cookie: The cookie that binds an attempt to its browser is host-only, HttpOnly and SameSite=Lax.", async (t) => {
    t.launchCookie(await t.postLaunch(await t.createSession()));
    t.holds(t.saw("page:303"), "it is redirected");
  });
  test("S3.attempt.launch-headers: A launch is neither cached nor framed, and sends no referrer.", async (t) => {
    const visit = await t.postLaunch(await t.createSession());
    t.equal(visit.status, 303, "HTTP status");
    t.launchHeaders(visit);
  });
  launchOriginCases(test, "attempt", "other-application", (t) => t.createSession());
  test("S3.attempt.pane: The pane of a launched attempt, opened again in its browser, continues the attempt and cancels it, once.", async (t) => {
    const { session, browser, page: consentPage } = await t.launchedIn(await t.createSession());
    const pane = t.paneOf(session);
    const own = new URL(t.target.connectHost).origin;
    t.equal((await browser.get(pane)).status, 200, "the pane is shown");
    const again = await browser.post(pane.href, { attempt: session.id }, own);
    const stateOf = (url: string | URL | null) => new URL(url ?? "about:blank").searchParams.get("state");
    t.equal([again.status, stateOf(again.location)], [303, stateOf(consentPage)], "the same redirect");
    t.equal((await t.resultOf(session)).status, "AUTHORIZING", "showing and continuing changes nothing");
    const left = await browser.post(pane.href, { attempt: session.id, leave: "true" }, own);
    t.equal(left.status, 303, "cancelling leads back");
    t.holds(String(left.location).startsWith(t.application.returnUrl), "to the return URL", left.location);
    t.ends(await t.resultOf(session), "CANCELED", "USER_DENIED");
    t.errorPage(await browser.post(pane.href, { attempt: session.id, leave: "true" }, own), [410], "once");
  });
  test("S3.attempt.pane-foreign: The pane is refused to another browser and its form to another site, and the attempt is unchanged.", async (t) => {
    const { session, browser } = await t.launchedIn(await t.createSession());
    const pane = t.paneOf(session);
    const leave = { attempt: session.id, leave: "true" };
    const own = new URL(t.target.connectHost).origin;
    t.errorPage(await t.browser().get(pane), REFUSED, "another browser");
    t.errorPage(await t.browser().post(pane.href, leave, own), REFUSED, "a press in another browser");
    for (const origin of [t.application.webOrigin, "https://evil.example", "null", null])
      t.errorPage(await browser.post(pane.href, leave, origin), REFUSED, `the origin ${origin}`);
    t.changesNothing(await browser.head(pane), "HEAD");
    t.changesNothing(await browser.get(pane, { "sec-purpose": "prefetch" }), "a prefetch");
    t.equal((await t.resultOf(session)).status, "AUTHORIZING", "the attempt is unchanged");
  });
  for (const posts of [1, 50] as const)
    test(`S2.launchToken.once${posts === 1 ? "" : "-in-parallel"}: Exactly one post of one launch token is redirected, of ${posts} at once; a later one gets an error page with 410.`, async (t) => {
      const session = await t.createSession();
      const visits = await concurrently(posts, () => t.postLaunch(session));
      t.equal(visits.filter((visit) => visit.status === 303).length, 1, "redirects");
      t.equal(visits.filter((visit) => visit.status >= 500).length, 0, "failures");
      t.errorPage(await t.postLaunch(session), [410], "a later post");
    }).with({ holds: posts === 1 ? [] : [BURST] });
  for (const [name, token] of Object.entries({
    unknown: "0".repeat(64),
    empty: "",
    short: "abc",
    "upper-case": "token",
    long: "a".repeat(16_000),
    nul: "a\0b",
  }))
    test(`S2.launchToken.bad-${name}: An invalid launch token (${name}) gets an error page.`, async (t) => {
      const session = await t.createSession();
      const launchToken = name === "upper-case" ? session.launchToken.toUpperCase() : token;
      if (launchToken === session.launchToken) return t.holds(true, "a token of digits has no upper case");
      t.errorPage(await t.postLaunch({ ...session, launchToken }), [400, 403, 404, 410, 413], name);
    });
  test("S2.launchToken.not-by-get: A launch token in a URL, or in a GET, launches nothing.", async (t) => {
    const session = await t.createSession();
    const query = `?launchToken=${session.launchToken}`;
    const byGet = await t.browser().get(session.launchUrl + query);
    const byQuery = await t.browser().post(session.launchUrl + query, {}, t.application.webOrigin);
    t.errorPage(byGet, [405], "a GET");
    t.equal(byGet.headers.get("allow"), "POST", "Allow of a GET");
    t.holds(byQuery.status >= 400 && byQuery.status < 500, "refused", byQuery.status);
    t.equal((await t.resultOf(session)).status, "CREATED", "the attempt is unchanged");
  });
});
