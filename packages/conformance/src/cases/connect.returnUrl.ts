import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import type { CaseContext } from "../harness/context.ts";
import { caseForEach, defineCases } from "../harness/defineCase.ts";
import { accountHold } from "./support/disconnects.ts";
import { ends, errorPage } from "./support/findings.ts";
import { createSession, GOOD_ACCOUNT, launched, postLaunch, signInThrough } from "./support/journeys.ts";

const STATUSES = [400, 403, 404, 410] as const;
/** Its content is not readable, and not needed; its grants may be revoked. */
const ACCOUNT = "cut-body";

async function removable(t: CaseContext): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const operator = t.driver("operator");
  const url = `${t.application.returnUrl}?removed=soon`;
  await operator.addReturnUrl(t.application, url);
  const id = await operator.clientId(t.application);
  return { url, remove: async () => void (await t.admin.get("removeClientReturnUrl", { id, url })) };
}

export const REMOVED_RETURN_URL_CASES = defineCases([
  ...caseForEach(["CREATED", "AUTHORIZING"], (from) => ({
    id: `S3.attempt.return-url-removed-${from}`,
    title: `An attempt that is ${from} when its return URL is removed ends FAILED with POLICY_CHANGED, connects nothing, and the browser stays on a page of the service.`,
    needs: ["provider", "operator", "admin"],
    reaches: [`transition:attempt.${from}.FAILED.POLICY_CHANGED`, "resultCode:POLICY_CHANGED"],
    run: async (t) => {
      const [scope, browser] = [t.scope(), t.browser()];
      const { url: returnUrl, remove } = await removable(t);
      const session = await createSession(t, { scope, returnUrl });
      const read = () => t.get("connectSessionResult", { scope, id: session.id });
      const failed = async () => ends(t, await read(), "FAILED", "POLICY_CHANGED");
      if (from === "CREATED") {
        await remove();
        await failed();
        errorPage(t, await postLaunch(t, session, { browser }), STATUSES, "the launch");
      } else {
        const page = await launched(t, session, browser);
        await remove();
        await failed();
        const callback = await t.provider.consent(page, { account: GOOD_ACCOUNT.PROVIDER_C });
        errorPage(t, await browser.get(callback), STATUSES, "the callback");
        t.equal((await read()).creatorAction, "REMOVE_APP_AT_PROVIDER", "the user did consent");
      }
      await failed();
      t.equal((await t.get("connections", { scope })).items, [], "nothing is connected");
    },
  })),
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.attempt.return-url-removed-EXCHANGING-${provider}`,
    title: `An attempt at ${provider} that is EXCHANGING when its return URL is removed ends FAILED with POLICY_CHANGED, connects nothing, and the browser stays on a page of the service.`,
    needs: ["provider", "operator", "admin"],
    holds: [accountHold(provider, ACCOUNT)],
    reaches: ["transition:attempt.EXCHANGING.FAILED.POLICY_CHANGED", "resultCode:POLICY_CHANGED"],
    run: async (t) => {
      const [scope, browser] = [t.scope(), t.browser()];
      const { url: returnUrl, remove } = await removable(t);
      const session = await createSession(t, { scope, provider, returnUrl, capabilities: ["PROFILE"] });
      const read = () => t.get("connectSessionResult", { scope, id: session.id });
      const callback = await t.provider.consent(await launched(t, session, browser), { account: ACCOUNT });
      const delay = { kind: "delay", delayMs: 2_000 } as const;
      const undo = await t.provider.fault(provider, "profile", delay, { account: ACCOUNT });
      try {
        const visit = browser.get(callback);
        await t.eventually("the attempt reads EXCHANGING", read, ({ status }) => status === "EXCHANGING");
        await remove();
        errorPage(t, await visit, STATUSES, "the callback");
      } finally {
        await undo();
      }
      const result = await read();
      ends(t, result, "FAILED", "POLICY_CHANGED");
      const action = PROVIDER_FACTS[provider].canRevoke ? null : "REMOVE_APP_AT_PROVIDER";
      t.equal(result.creatorAction, action, "creatorAction");
      t.equal((await t.get("connections", { scope })).items, [], "nothing is connected");
    },
  })),
  {
    id: "S3.attempt.previews-switched-off",
    title: "An attempt that names a preview return URL ends FAILED with POLICY_CHANGED when previews are switched off.",
    needs: ["operator", "previews"],
    reaches: ["transition:attempt.CREATED.FAILED.POLICY_CHANGED"],
    run: async (t) => {
      const operator = t.driver("operator");
      const scope = t.scope();
      await operator.setPreviews(t.application, { enabled: true, paths: ["/social/return"] });
      const origin = (t.target.previewTemplate ?? "").replace("{label}", "pull-request-7");
      const preview = await createSession(t, { scope, returnUrl: `${origin}/social/return` });
      const registered = await createSession(t, { scope });
      await operator.setPreviews(t.application, { enabled: false, paths: ["/social/return"] });
      ends(t, await t.get("connectSessionResult", { scope, id: preview.id }), "FAILED", "POLICY_CHANGED");
      ends(t, await t.get("connectSessionResult", { scope, id: registered.id }), "CREATED", null);
    },
  },
  {
    id: "S3.identity.return-url-removed",
    title: "A sign-in whose return URL is removed is FAILED, and the browser stays on a page of the service.",
    needs: ["operator", "admin", "identity"],
    reaches: ["transition:identity.PENDING.FAILED"],
    run: async (t) => {
      const [tenantKey] = t.application.tenantKeys;
      const id = await t.driver("operator").clientId(t.application);
      const returnUrl = `${t.application.identityReturnUrl}?removed=soon`;
      const both = [t.application.identityReturnUrl, returnUrl];
      await t.admin.inPanel("setClientIdpIdentity", { id, enabled: true, returnUrls: both });
      const other = await t.get("createIdpIdentitySession", { input: { tenantKey, returnUrl } });
      const browser = t.browser();
      const issuerPage = await launched(t, other, browser);
      await t.admin.inPanel("setClientIdpIdentity", {
        id,
        enabled: true,
        returnUrls: [t.application.identityReturnUrl],
      });
      const callback = await t.driver("identity").signIn(issuerPage, { person: "ada" });
      errorPage(t, await browser.get(callback), STATUSES, "the callback");
      const { resultProof } = other;
      const result = await t.get("redeemIdpIdentityResult", { id: other.id, tenantKey, resultProof });
      t.equal([result.status, result.idpSub], ["FAILED", null], "the result");
      const still = await t.get("createIdpIdentitySession", {
        input: { tenantKey, returnUrl: t.application.identityReturnUrl },
      });
      const { visit } = await signInThrough(t, still, { person: "ada" });
      t.equal(visit.status, 303, "a registered one redirects to the application");
    },
  },
]);
