import { AHEAD } from "../context/connections.ts";
import { PROVIDERS, providersWith } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

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
