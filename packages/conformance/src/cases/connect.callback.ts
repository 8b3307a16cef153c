import { providersWith } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { errorPage } from "./support/findings.ts";
import { createSession, GOOD_ACCOUNT, launched, walkThrough } from "./support/journeys.ts";

export const CALLBACK_CASES = defineCasesWith({ needs: ["provider"] }, [
  {
    id: "S3.attempt.return",
    title: "The browser returns to the return URL with ss_session_id and ss_status added and its own query preserved.",
    needs: ["provider", "operator"],
    reaches: ["transport:return-parameters", "enum:ConnectSessionStatus.COMPLETED"],
    run: async (t) => {
      const returnUrl = `${t.application.returnUrl}?from=settings`;
      await t.driver("operator").addReturnUrl(t.application, returnUrl);
      const scope = t.scope();
      const session = await createSession(t, { scope, returnUrl });
      const { visit } = await walkThrough(t, session, { account: "tidepool-studio" });
      t.equal(visit.status, 303, "HTTP status");
      const back = visit.location ?? new URL("about:blank");
      t.equal(back.origin + back.pathname, t.application.returnUrl, "the return URL");
      t.equal(
        [...back.searchParams],
        [
          ["from", "settings"],
          ["ss_session_id", session.id],
          ["ss_status", "COMPLETED"],
        ],
        "its parameters",
      );
      t.equal((await t.get("connectSessionResult", { scope, id: session.id })).status, "COMPLETED", "status");
    },
  },
  {
    id: "S3.attempt.foreign-browser",
    title: "A valid code and state in another browser are refused, and the attempt's own browser can still finish.",
    reaches: ["enum:ConnectSessionStatus.AUTHORIZING", "enum:ConnectSessionStatus.COMPLETED"],
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope });
      const browser = t.browser();
      const callback = await t.provider.consent(await launched(t, session, browser), { account: "tidepool-studio" });
      errorPage(t, await t.browser().get(callback), [400, 403, 410], "another browser");
      t.equal(
        (await t.get("connectSessionResult", { scope, id: session.id })).status,
        "AUTHORIZING",
        "status after it",
      );
      t.equal((await browser.get(callback)).status, 303, "the attempt's own browser");
      t.equal(
        (await t.get("connectSessionResult", { scope, id: session.id })).status,
        "COMPLETED",
        "status at the end",
      );
    },
  },
  {
    id: "S3.attempt.state-once",
    title: "A callback works once: repeated, it is an error page and the result is unchanged.",
    reaches: ["enum:ConnectSessionStatus.COMPLETED"],
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope });
      const browser = t.browser();
      const { callback } = await walkThrough(t, session, { account: "tidepool-studio" }, browser);
      const before = await t.get("connectSessionResult", { scope, id: session.id });
      errorPage(t, await browser.get(callback), [400, 403, 410], "the same callback again");
      t.equal(await t.get("connectSessionResult", { scope, id: session.id }), before, "the result");
    },
  },
  {
    id: "S3.attempt.foreign-state",
    title: "A callback with an altered or missing state is an error page, and the attempt remains pending.",
    reaches: ["enum:ConnectSessionStatus.AUTHORIZING"],
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope });
      const browser = t.browser();
      const callback = await t.provider.consent(await launched(t, session, browser), { account: "tidepool-studio" });
      for (const change of [
        (url: URL) => url.searchParams.delete("state"),
        (url: URL) => url.searchParams.set("state", "0".repeat(43)),
        (url: URL) => url.searchParams.set("state", "x".repeat(8_000)),
        (url: URL) => url.searchParams.set("state", "a\0b"),
      ]) {
        const changed = new URL(callback);
        change(changed);
        errorPage(t, await browser.get(changed), [400, 403, 404, 410, 413, 414, 431], "a state that was never issued");
      }
      t.equal((await t.get("connectSessionResult", { scope, id: session.id })).status, "AUTHORIZING", "status");
    },
  },
  ...caseForEach(["doubled-state", "doubled-code", "error-with-code", "code-of-16-KiB", "state-of-16-KiB"], (name) => ({
    id: `S3.attempt.callback-${name}`,
    title: `A callback that no provider sends (${name}) ends in a page or a redirect, never in an internal error.`,
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope });
      const browser = t.browser();
      const callback = await t.provider.consent(await launched(t, session, browser), { account: "tidepool-studio" });
      const query = callback.searchParams;
      if (name === "doubled-state") query.append("state", query.get("state") ?? "");
      if (name === "doubled-code") query.append("code", "another");
      if (name === "error-with-code") query.append("error", "access_denied");
      if (name === "code-of-16-KiB") query.set("code", "x".repeat(16_384));
      if (name === "state-of-16-KiB") query.set("state", "x".repeat(16_384));
      const visit = await browser.get(callback);
      if (visit.status !== 303) errorPage(t, visit, [400, 403, 404, 410, 413, 414, 431], name);
      else t.equal(visit.location?.searchParams.get("ss_session_id"), session.id, "the redirect names the attempt");
      const { status } = await t.get("connectSessionResult", { scope, id: session.id });
      t.holds(status !== "COMPLETED" && status !== "EXCHANGING", "the attempt is not completed", status);
    },
  })),
  {
    id: "S3.attempt.other-provider-callback",
    title: "One provider's code on another provider's callback is refused.",
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope, provider: "PROVIDER_A" });
      const browser = t.browser();
      const callback = await t.provider.consent(await launched(t, session, browser), { account: "harbor-workshop" });
      const other = new URL(callback);
      other.pathname = other.pathname.replace(/provider-a/, "provider-b");
      t.holds(other.pathname !== callback.pathname, "the callback's path names its provider", callback.pathname);
      errorPage(t, await browser.get(other), [400, 403, 404, 410], "another provider's callback");
      t.holds((await t.get("connectSessionResult", { scope, id: session.id })).status !== "COMPLETED", "not completed");
    },
  },
  ...caseForEach(providersWith("takesChallenge"), (provider) => ({
    id: `S3.attempt.foreign-code-${provider}`,
    title: `A code of ${provider} that was issued for another attempt connects no account in this one.`,
    reaches: ["enum:ConnectSessionStatus.FAILED"],
    run: async (t) => {
      const [victim, scope] = [t.scope(), t.scope()];
      const theirs = await createSession(t, { scope: victim, provider });
      const account = GOOD_ACCOUNT[provider];
      const stolen = await t.provider.consent(await launched(t, theirs, t.browser()), { account });
      const session = await createSession(t, { scope, provider });
      const browser = t.browser();
      const callback = await t.provider.consent(await launched(t, session, browser), { account });
      callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
      await browser.get(callback);
      const { status, resultCode, connectionId } = await t.get("connectSessionResult", { scope, id: session.id });
      t.equal([status, resultCode, connectionId], ["FAILED", "EXCHANGE_FAILED", null], "the attempt's result");
      t.equal((await t.get("connections", { scope })).items, [], "connections of its subject");
    },
  })),
  {
    id: "S3.attempt.two-tabs",
    title: "Two attempts in one browser are independent.",
    reaches: ["enum:ConnectSessionStatus.COMPLETED"],
    run: async (t) => {
      const scope = t.scope();
      const browser = t.browser();
      const tabs = [];
      for (const account of ["tidepool-studio", "unicode"]) {
        const session = await createSession(t, { scope });
        tabs.push({ session, account, page: await launched(t, session, browser) });
      }
      for (const { session, account, page } of tabs.reverse()) {
        await browser.get(await t.provider.consent(page, { account }));
        t.equal((await t.get("connectSessionResult", { scope, id: session.id })).status, "COMPLETED", account);
      }
    },
  },
]);
