import { accountHolds, GOOD_ACCOUNT } from "../context/accounts.ts";
import { REMOVE } from "../context/disconnects.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCases } from "../harness/defineCase.ts";

const STATUSES = [400, 403, 404, 410] as const;
/** Its content is not readable, and not needed; its grants may be revoked. */
const ACCOUNT = "cut-body";

export const REMOVED_RETURN_URL_CASES = defineCases({
  ...caseForEach(["CREATED", "AUTHORIZING"], (from) => ({
    id: `S3.attempt.return-url-removed-${from}`,
    title: `An attempt that is ${from} when its return URL is removed ends FAILED with POLICY_CHANGED, connects nothing, and the browser stays on a page of the service.`,
    needs: ["provider", "operator"],
    run: async (t) => {
      const browser = t.browser();
      const returnUrl = `${t.application.returnUrl}?removed=soon`;
      await t.addReturnUrl(returnUrl);
      const session = await t.createSession({ returnUrl });
      const read = () => t.resultOf(session);
      const failed = async () => t.ends(await read(), "FAILED", "POLICY_CHANGED");
      if (from === "CREATED") {
        await t.removeReturnUrl(returnUrl);
        await failed();
        t.errorPage(await t.postLaunch(session, { browser }), STATUSES, "the launch");
      } else {
        const page = await t.launched(session, browser);
        await t.removeReturnUrl(returnUrl);
        await failed();
        const callback = await t.provider.consent(page, { account: GOOD_ACCOUNT.PROVIDER_C });
        t.errorPage(await browser.get(callback), STATUSES, "the callback");
        t.equal((await read()).creatorAction, "REMOVE_APP_AT_PROVIDER", "the user did consent");
      }
      await failed();
      await t.nothingConnected(session);
    },
  })),
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.attempt.return-url-removed-EXCHANGING-${provider}`,
    title: `An attempt at ${provider} that is EXCHANGING when its return URL is removed ends FAILED with POLICY_CHANGED, connects nothing, and the browser stays on a page of the service.`,
    needs: ["provider", "operator"],
    holds: accountHolds(provider, ACCOUNT),
    run: async (t) => {
      const returnUrl = `${t.application.returnUrl}?removed=soon`;
      await t.addReturnUrl(returnUrl);
      const fields = { provider, account: ACCOUNT, returnUrl, capabilities: ["PROFILE"] } as const;
      const { session, visit } = await t.whileExchanging({ ...fields, delayMs: 2_000 }, () =>
        t.removeReturnUrl(returnUrl),
      );
      t.errorPage(visit, STATUSES, "the callback");
      const result = await t.resultOf(session);
      t.ends(result, "FAILED", "POLICY_CHANGED");
      t.equal(result.creatorAction, PROVIDER_FACTS[provider].canRevoke ? null : REMOVE, "creatorAction");
      await t.nothingConnected(session);
    },
  })),
  "S3.attempt.previews-switched-off": {
    title: "An attempt that names a preview return URL ends FAILED with POLICY_CHANGED when previews are switched off.",
    needs: ["operator", "previews"],
    run: async (t) => {
      await t.setPreviews(true, "/social/return");
      const origin = (t.target.previewTemplate ?? "").replace("{label}", "pull-request-7");
      const preview = await t.createSession({ returnUrl: `${origin}/social/return` });
      const registered = await t.createSession({ scope: preview.scope });
      await t.setPreviews(false);
      t.ends(await t.resultOf(preview), "FAILED", "POLICY_CHANGED");
      t.ends(await t.resultOf(registered), "CREATED", null);
    },
  },
  "S3.identity.return-url-removed": {
    title: "A sign-in whose return URL is removed is FAILED, and the browser stays on a page of the service.",
    needs: ["operator", "identity"],
    run: async (t) => {
      const registered = t.application.identityReturnUrl;
      const returnUrl = `${registered}?removed=soon`;
      await t.setIdentity(true, [registered, returnUrl]);
      const other = await t.createIdentity({ returnUrl });
      const browser = t.browser();
      const issuerPage = await t.launched(other, browser);
      await t.setIdentity(true, [registered]);
      const callback = await t.driver("identity").signIn(issuerPage, { person: "ada" });
      t.errorPage(await browser.get(callback), STATUSES, "the callback");
      t.shows(await t.redeem(other), { status: "FAILED", idpSub: null }, "the result");
      const { visit } = await t.signInThrough(await t.createIdentity(), { person: "ada" });
      t.equal(visit.status, 303, "a registered one redirects to the application");
    },
  },
});
