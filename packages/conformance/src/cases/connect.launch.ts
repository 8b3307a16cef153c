import { AHEAD } from "../context/connections.ts";
import { BURST, concurrently } from "../context/findings.ts";
import { PROVIDER_FACTS, PROVIDERS, providersWith } from "../description/providers.ts";
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

/** Callbacks that no provider sends. */
const ODD_CALLBACKS: Readonly<Record<string, (query: URLSearchParams) => void>> = {
  "doubled-state": (query) => query.append("state", query.get("state") ?? ""),
  "doubled-code": (query) => query.append("code", "another"),
  "error-with-code": (query) => query.append("error", "access_denied"),
  "code-of-16-KiB": (query) => query.set("code", "x".repeat(16_384)),
  "state-of-16-KiB": (query) => query.set("state", "x".repeat(16_384)),
};

export const CALLBACK_CASES = defineCases({ needs: ["provider"] }, (test) => {
  test("S3.attempt.return: The browser returns to the return URL with ss_session_id and ss_status added and its own query preserved.", async (t) => {
    const returnUrl = `${t.application.returnUrl}?from=settings`;
    await t.addReturnUrl(returnUrl);
    const session = await t.createSession({ returnUrl });
    const { visit } = await t.walkThrough(session, { account: "tidepool-studio" });
    t.equal(visit.status, 303, "HTTP status");
    const back = visit.location ?? new URL("about:blank");
    t.equal(back.origin + back.pathname, t.application.returnUrl, "the return URL");
    t.equal(back.search, `?from=settings&ss_session_id=${session.id}&ss_status=COMPLETED`, "its parameters");
    t.equal((await t.resultOf(session)).status, "COMPLETED", "status");
  }).with({ needs: ["provider", "operator"] });
  test("S3.attempt.foreign-browser: A valid code and state in another browser are refused, and the attempt's own browser can still finish.", async (t) => {
    const { session, browser, callback } = await t.consented();
    t.errorPage(await t.browser().get(callback), [400, 403, 410], "another browser");
    t.equal((await t.resultOf(session)).status, "AUTHORIZING", "status after it");
    t.equal((await browser.get(callback)).status, 303, "the attempt's own browser");
    t.equal((await t.resultOf(session)).status, "COMPLETED", "status at the end");
  });
  for (const provider of PROVIDERS)
    test(`S3.attempt.callback-ahead-${provider}: HEAD, prefetches and previews of a callback of ${provider} change nothing; the person's own GET completes the attempt.`, async (t) => {
      const { session, browser, callback } = await t.consented({ provider });
      await t.visitAhead(browser, callback);
      t.equal((await t.resultOf(session)).status, "AUTHORIZING", "status after them");
      t.equal((await browser.get(callback)).status, 303, "the person's own request");
      t.equal((await t.resultOf(session)).status, "COMPLETED", "status at the end");
    });
  test("S3.attempt.launch-ahead: HEAD and prefetches of the launch address change nothing, with or without the token.", async (t) => {
    const [session, browser] = [await t.createSession(), t.browser()];
    const { launchUrl, launchToken } = session;
    t.changesNothing(await browser.head(launchUrl), "HEAD");
    for (const headers of AHEAD) {
      const what = JSON.stringify(headers);
      t.changesNothing(await browser.get(launchUrl, headers), what);
      const posted = await browser.post(launchUrl, { launchToken }, t.application.webOrigin, headers);
      t.changesNothing(posted, `${what} with the token`);
    }
    t.equal((await t.resultOf(session)).status, "CREATED", "status after them");
    await t.launched(session, browser);
  });
  test("S3.attempt.state-once: A callback works once: repeated, it is an error page and the result is unchanged.", async (t) => {
    const { session, browser, callback } = await t.consented();
    await browser.get(callback);
    const before = await t.resultOf(session);
    t.equal(before.status, "COMPLETED", "the result of the first");
    t.errorPage(await browser.get(callback), [400, 403, 410], "the same callback again");
    t.equal(await t.resultOf(session), before, "the result");
  });
  test("S3.attempt.foreign-state: A callback with an altered or missing state is an error page, and the attempt remains pending.", async (t) => {
    const { session, browser, callback } = await t.consented();
    for (const state of ["0".repeat(43), "x".repeat(8_000), "a\0b", null]) {
      const changed = new URL(callback);
      if (state === null) changed.searchParams.delete("state");
      else changed.searchParams.set("state", state);
      t.errorPage(await browser.get(changed), [400, 403, 404, 410, 413, 414, 431], "a state that was never issued");
    }
    t.equal((await t.resultOf(session)).status, "AUTHORIZING", "status");
  });
  for (const [name, change] of Object.entries(ODD_CALLBACKS))
    test(`S3.attempt.callback-${name}: A callback that no provider sends (${name}) ends in a page or a redirect, never in an internal error.`, async (t) => {
      const { session, browser, callback } = await t.consented();
      change(callback.searchParams);
      const visit = await browser.get(callback);
      if (visit.status !== 303) t.errorPage(visit, [400, 403, 404, 410, 413, 414, 431], name);
      else t.equal(visit.location?.searchParams.get("ss_session_id"), session.id, "the redirect names the attempt");
      const { status } = await t.resultOf(session);
      t.holds(status !== "COMPLETED" && status !== "EXCHANGING", "the attempt is not completed", status);
    });
  test("S3.attempt.other-provider-callback: One provider's code on another provider's callback is refused.", async (t) => {
    const { session, browser, callback } = await t.consented({ provider: "PROVIDER_A" });
    const other = new URL(callback);
    other.pathname = other.pathname.replace(/provider-a/, "provider-b");
    t.holds(other.pathname !== callback.pathname, "the callback's path names its provider", callback.pathname);
    t.errorPage(await browser.get(other), [400, 403, 404, 410], "another provider's callback");
    t.holds((await t.resultOf(session)).status !== "COMPLETED", "not completed");
  });
  for (const provider of providersWith("takesChallenge"))
    test(`S3.attempt.foreign-code-${provider}: A code of ${provider} that was issued for another attempt connects no account in this one.`, async (t) => {
      const theirs = await t.consented({ provider });
      const { session, browser, callback } = await t.consented({ provider });
      callback.searchParams.set("code", theirs.callback.searchParams.get("code") ?? "");
      await browser.get(callback);
      await t.endsUnconnected(session, "FAILED", "EXCHANGE_FAILED");
    });
  test("S3.attempt.two-tabs: Two attempts in one browser are independent.", async (t) => {
    const [scope, browser] = [t.scope(), t.browser()];
    const tabs = [];
    for (const account of ["tidepool-studio", "unicode"]) {
      const session = await t.createSession({ scope });
      tabs.push({ session, account, page: await t.launched(session, browser) });
    }
    for (const { session, account, page } of tabs.reverse()) {
      await browser.get(await t.provider.consent(page, { account }));
      t.equal((await t.resultOf(session)).status, "COMPLETED", account);
    }
  });
});
