import { accountHolds, GOOD_ACCOUNT } from "../context/accounts.ts";
import { REMOVE } from "../context/jobs.ts";
import { ALL_CAPABILITIES, PROVIDER_FACTS, PROVIDERS, providersWith } from "../description/providers.ts";
import { defineCases, pairsOf } from "../harness/defineCase.ts";

/** A user's decision and scripted accounts by which attempts end in one way, with the status from which they do. */
const SCRIPTED = [
  ["denied-by-person", "DENIED", "USER_DENIED", "AUTHORIZING"],
  ["deny", "DENIED", "USER_DENIED", "AUTHORIZING"],
  ["provider-error", "FAILED", "PROVIDER_ERROR", "AUTHORIZING"],
  ["no-scopes", "DENIED", "NO_CAPABILITY_GRANTED", "EXCHANGING"],
  ["not-a-tester", "FAILED", "NOT_A_TESTER", "EXCHANGING"],
  ["exchange-refused", "FAILED", "EXCHANGE_FAILED", "EXCHANGING"],
  ["exchange-5xx", "FAILED", "PROVIDER_UNAVAILABLE", "EXCHANGING"],
] as const;

export const OUTCOME_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of PROVIDERS)
    test(`S3.attempt.completed-${provider}: An attempt at ${provider} with consent ends COMPLETED, with a connection to that account.`, async (t) => {
      const { scope, result } = await t.attempt({ provider });
      t.ends(result, "COMPLETED", null, { creatorAction: null });
      const row = await t.readConnection({ scope, connectionId: result.connectionId ?? "" });
      t.shows(row, { id: result.connectionId ?? "", provider, status: "CONNECTED" }, "the connection");
      const accountId = await t.provider.accountId(provider, GOOD_ACCOUNT[provider]);
      t.equal(row.providerAccountId, accountId, "the provider's own account id");
      t.equal(row.capabilities.map((entry) => entry.capability).sort(), [...ALL_CAPABILITIES].sort(), "capabilities");
    });
  for (const [[account, status, code, from], provider] of pairsOf(SCRIPTED, PROVIDERS))
    test(`S3.attempt.${account}-${provider}: An attempt at ${provider} (${account}) ends ${status} with ${code}.`, async (t) => {
      const choice = account === "denied-by-person" ? ({ decision: "deny" } as const) : { account };
      const { session, result } = await t.attempt({ provider, ...choice });
      // Where the provider has no revocation, the user has to remove the consent, regardless of its code.
      const creatorAction = !PROVIDER_FACTS[provider].canRevoke && from === "EXCHANGING" ? REMOVE : null;
      t.equal(await t.endsUnconnected(session, status, code, { creatorAction }), result, "the result is stable");
    });
  test("S3.attempt.exchanging: While the code is being exchanged the attempt reads EXCHANGING.", async (t) => {
    const { session } = await t.whileExchanging({ account: "city-swifts", delayMs: 1_500 });
    t.equal((await t.resultOf(session)).status, "COMPLETED", "and completes");
  }).with({ holds: ["account:C:city-swifts"] });
  for (const provider of providersWith("grantsInPart"))
    test(`S2.Connection.capabilities.partial-${provider}: A connection at ${provider} has exactly the capabilities that were requested and granted.`, async (t) => {
      const row = await t.readConnection(await t.connect({ provider, account: "partial-scopes" }));
      const names = row.capabilities.map((entry) => entry.capability);
      t.holds(names.includes("PROFILE"), "PROFILE was granted", names);
      t.holds(!names.includes("CONTENT_METRICS"), "CONTENT_METRICS was not granted", names);
      for (const entry of row.capabilities)
        t.shows(entry, { availability: "AVAILABLE", reason: null }, entry.capability);
    });
  for (const capability of ALL_CAPABILITIES)
    test(`S2.Connection.capabilities.only-${capability}: Where only ${capability} was requested, only it is granted, even if the consent covers more.`, async (t) => {
      const row = await t.readConnection(await t.connect({ capabilities: [capability] }));
      t.equal(row.capabilities, [{ capability, availability: "AVAILABLE", reason: null }], "capabilities");
    });
  test("S3.attempt.policy-changed: An attempt whose provider is removed from the policy during the consent ends FAILED with POLICY_CHANGED.", async (t) => {
    const { session, browser, callback } = await t.consented();
    await t.setPolicy({ providers: ["PROVIDER_A"] });
    await browser.get(callback);
    await t.endsUnconnected(session, "FAILED", "POLICY_CHANGED");
  }).with({ needs: ["provider", "operator"] });
  for (const from of ["CREATED", "AUTHORIZING"] as const)
    test(`S3.attempt.application-disabled-${from}: An attempt that is ${from} when its application is disabled ends CANCELED with APPLICATION_DISABLED.`, async (t) => {
      const consent = from === "AUTHORIZING" ? await t.consented() : null;
      const session = consent?.session ?? (await t.createSession());
      await t.setEnabled(false);
      const visit = consent === null ? await t.postLaunch(session) : await consent.browser.get(consent.callback);
      if (consent === null) t.holds(visit.status !== 303, "a disabled application launches nothing", visit.status);
      await t.setEnabled(true);
      t.ends(await t.resultOf(session), "CANCELED", "APPLICATION_DISABLED");
    }).with({ needs: ["provider", "operator"] });
});

const STATUSES = [400, 403, 404, 410] as const;
/** Its content is not readable, and not needed; its grants may be revoked. */
const ACCOUNT = "cut-body";

export const REMOVED_RETURN_URL_CASES = defineCases({}, (test) => {
  for (const from of ["CREATED", "AUTHORIZING"] as const)
    test(`S3.attempt.return-url-removed-${from}: An attempt that is ${from} when its return URL is removed ends FAILED with POLICY_CHANGED, connects nothing, and the browser stays on a page of the service.`, async (t) => {
      const browser = t.browser();
      const returnUrl = `${t.application.returnUrl}?removed=soon`;
      await t.addReturnUrl(returnUrl);
      const session = await t.createSession({ returnUrl });
      const failed = () => t.endsUnconnected(session, "FAILED", "POLICY_CHANGED");
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
        t.equal((await failed()).creatorAction, REMOVE, "the user did consent");
      }
      await failed();
    }).with({ needs: ["provider", "operator"] });
  for (const provider of PROVIDERS)
    test(`S3.attempt.return-url-removed-EXCHANGING-${provider}: An attempt at ${provider} that is EXCHANGING when its return URL is removed ends FAILED with POLICY_CHANGED, connects nothing, and the browser stays on a page of the service.`, async (t) => {
      const returnUrl = `${t.application.returnUrl}?removed=soon`;
      await t.addReturnUrl(returnUrl);
      const fields = { provider, account: ACCOUNT, returnUrl, capabilities: ["PROFILE"] } as const;
      const remove = () => t.removeReturnUrl(returnUrl);
      const { session, visit } = await t.whileExchanging({ ...fields, delayMs: 2_000 }, remove);
      t.errorPage(visit, STATUSES, "the callback");
      const creatorAction = PROVIDER_FACTS[provider].canRevoke ? null : REMOVE;
      await t.endsUnconnected(session, "FAILED", "POLICY_CHANGED", { creatorAction });
    }).with({ needs: ["provider", "operator"], holds: accountHolds(provider, ACCOUNT) });
  test("S3.attempt.previews-switched-off: An attempt that names a preview return URL ends FAILED with POLICY_CHANGED when previews are switched off.", async (t) => {
    await t.setPreviews(true, "/social/return");
    const origin = (t.target.previewTemplate ?? "").replace("{label}", "pull-request-7");
    const preview = await t.createSession({ returnUrl: `${origin}/social/return` });
    const registered = await t.createSession({ scope: preview.scope });
    await t.setPreviews(false);
    t.ends(await t.resultOf(preview), "FAILED", "POLICY_CHANGED");
    t.ends(await t.resultOf(registered), "CREATED", null);
  }).with({ needs: ["operator", "previews"] });
  test("S3.identity.return-url-removed: A sign-in whose return URL is removed is FAILED, and the browser stays on a page of the service.", async (t) => {
    const registered = t.application.identityReturnUrl;
    const returnUrl = `${registered}?removed=soon`;
    await t.setIdentity(true, [registered, returnUrl]);
    const { session: other, browser, page } = await t.launchedIn(await t.createIdentity({ returnUrl }));
    await t.setIdentity(true, [registered]);
    const callback = await t.driver("identity").signIn(page, { person: "ada" });
    t.errorPage(await browser.get(callback), STATUSES, "the callback");
    t.shows(await t.redeem(other), { status: "FAILED", idpSub: null }, "the result");
    const { visit } = await t.walkThrough(await t.createIdentity(), { person: "ada" });
    t.equal(visit.status, 303, "a registered one redirects to the application");
  }).with({ needs: ["operator", "identity"] });
});
