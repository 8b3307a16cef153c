import type { SubjectScope } from "../_generated/consumerWire.ts";
import { accountHolds } from "../context/accounts.ts";
import { REMOVE } from "../context/jobs.ts";
import type { Connected, Steps } from "../context/steps.ts";
import { PROVIDER_FACTS, PROVIDERS, type Provider, REVOKING } from "../description/providers.ts";
import { defineCases, pairsOf } from "../harness/defineCase.ts";

/** An account that these cases share between subjects, and an account of another user; no other case uses them. */
const SHARED = "cut-body";
const OTHER = "other-shape";
/** Content of these accounts is not readable, and not needed. */
const CAPABILITIES = ["PROFILE"] as const;
/** Below the 10-second timeout of the service's calls to a provider. */
const DELAY_MS = 4_000;

type Exchange = Omit<Parameters<Steps["whileExchanging"]>[0], "delayMs">;

/** `during` ends the exchange of an attempt, which connects nothing. */
async function endsExchange(t: Steps, exchange: Exchange, during: () => Promise<void>) {
  const fields = { ...exchange, capabilities: CAPABILITIES, delayMs: DELAY_MS };
  const { session, visit } = await t.whileExchanging(fields, during);
  t.equal(visit.status, 303, "the browser is redirected to the application");
  return t.endsUnconnected(session, "FAILED", "POLICY_CHANGED");
}

/** A failed attempt's grant is revoked shortly after it; until then the account is not connectable. */
async function connectsAgain(t: Steps, scope: SubjectScope, provider: Provider, account: string): Promise<Connected> {
  const attempt = async () => (await t.attempt({ scope, provider, account, capabilities: CAPABILITIES })).result;
  const what = "the account can be connected once the revoke has settled";
  const result = await t.eventually(what, attempt, ({ resultCode }) => resultCode !== "POLICY_CHANGED");
  t.equal(result.status, "COMPLETED", `the attempt completes (resultCode ${result.resultCode})`);
  return { scope, connectionId: result.connectionId ?? "" };
}

export const REVOCATION_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of REVOKING)
    test(`S3.attempt.account-being-revoked-${provider}: While a subject's revoke at ${provider} is retried, another subject's attempt with the same account ends FAILED with POLICY_CHANGED; one with another account completes, and the account can be connected when the revoke has settled.`, async (t) => {
      const [account, other, scope] = [SHARED, OTHER, t.scope()];
      const first = await t.connect({ provider, account, capabilities: CAPABILITIES });
      await t.whileRevoking(first, provider, account, async () => {
        const { session } = await t.attempt({ scope, provider, account, capabilities: CAPABILITIES });
        await t.endsUnconnected(session, "FAILED", "POLICY_CHANGED", { creatorAction: null });
        await t.connect({ scope, provider, account: other, capabilities: CAPABILITIES });
      });
      const again = await connectsAgain(t, t.scope(), provider, account);
      t.equal((await t.readConnection(again)).status, "CONNECTED", "the connection");
    }).with({ holds: accountHolds(provider, SHARED, OTHER) });
  for (const [provider, held] of pairsOf(PROVIDERS, ["exchange", "profile"]))
    test(`S3.attempt.revoked-inside-exchange-${provider}-${held}: A disconnect of the same account at ${provider} that starts and settles during another subject's exchange (delayed ${held}) ends that attempt FAILED with POLICY_CHANGED.`, async (t) => {
      const [account, scope] = [SHARED, t.scope()];
      const first = await t.connect({ provider, account, capabilities: CAPABILITIES });
      const result = await endsExchange(t, { scope, provider, account, held }, async () => {
        const { revoke } = await t.receipts(first, await t.disconnect(first));
        t.equal(revoke.status, PROVIDER_FACTS[provider].canRevoke ? "SUCCEEDED" : "FAILED", "the revoke has settled");
      });
      const action = PROVIDER_FACTS[provider].canRevoke ? null : REMOVE;
      t.equal(result.creatorAction, action, "creatorAction: a consent without revocation is left to the user");
      await connectsAgain(t, scope, provider, account);
    }).with({ holds: accountHolds(provider, SHARED) });
  for (const provider of ["PROVIDER_B", "PROVIDER_C"] as const)
    test(`S3.attempt.app-removed-inside-exchange-${provider}: A message of ${provider} that the user removed the app, during another subject's exchange for the account, ends that attempt FAILED with POLICY_CHANGED.`, async (t) => {
      const [account, scope] = [SHARED, t.scope()];
      const first = await t.connect({ provider, account, capabilities: CAPABILITIES });
      await endsExchange(t, { scope, provider, account, held: "exchange" }, async () => {
        await t.provider.removeApp(provider, account);
        await t.untilStatus(first, "RECONNECT_REQUIRED");
      });
      await connectsAgain(t, scope, provider, account);
    }).with({ holds: accountHolds(provider, SHARED) });
  for (const provider of REVOKING)
    test(`S3.attempt.sibling-revoked-inside-exchange-${provider}: A disconnect of the subject's other account at ${provider} that starts and settles during an exchange ends the attempt FAILED with POLICY_CHANGED.`, async (t) => {
      const first = await t.connect({ provider, account: SHARED, capabilities: CAPABILITIES });
      const { scope } = first;
      const disconnect = async () => void (await t.disconnectAndErase(first));
      await endsExchange(t, { scope, provider, account: OTHER, held: "exchange" }, disconnect);
    }).with({ holds: accountHolds(provider, SHARED, OTHER) });
  for (const provider of PROVIDERS)
    test(`S3.attempt.revoked-before-exchange-${provider}: A disconnect at ${provider} that has settled before the exchange starts does not affect an attempt that was launched before it.`, async (t) => {
      const [account, scope] = [SHARED, t.scope()];
      const first = await t.connect({ provider, account, capabilities: CAPABILITIES });
      const attempt = await t.createSession({ scope, provider, capabilities: CAPABILITIES });
      const { session, browser, page } = await t.launchedIn(attempt);
      await t.disconnectAndErase(first);
      await browser.get(await t.provider.consent(page, { account }));
      t.ends(await t.resultOf(session), "COMPLETED", null);
    }).with({ holds: accountHolds(provider, SHARED) });
});
