import { PROVIDER_FACTS, PROVIDERS, providersWith } from "../description/providers.ts";
import { caseForEach, defineCasesWith, pairsOf } from "../harness/defineCase.ts";
import { GOOD_ACCOUNT } from "./support/accounts.ts";
import {
  ALL_CAPABILITIES,
  attempt,
  consented,
  createSession,
  postLaunch,
  resultOf,
  whileExchanging,
} from "./support/attempts.ts";
import { connect, readConnection } from "./support/connections.ts";
import { ends, nothingConnected } from "./support/findings.ts";

/** Scripted accounts whose attempts end in one way, at each provider that has them. */
const SCRIPTED: readonly {
  readonly account: string;
  readonly status: string;
  readonly code: string;
  readonly from: string;
}[] = [
  { account: "deny", status: "DENIED", code: "USER_DENIED", from: "AUTHORIZING" },
  { account: "provider-error", status: "FAILED", code: "PROVIDER_ERROR", from: "AUTHORIZING" },
  { account: "no-scopes", status: "DENIED", code: "NO_CAPABILITY_GRANTED", from: "EXCHANGING" },
  { account: "not-a-tester", status: "FAILED", code: "NOT_A_TESTER", from: "EXCHANGING" },
  { account: "exchange-refused", status: "FAILED", code: "EXCHANGE_FAILED", from: "EXCHANGING" },
  { account: "exchange-5xx", status: "FAILED", code: "PROVIDER_UNAVAILABLE", from: "EXCHANGING" },
];

const scripted = caseForEach(pairsOf(SCRIPTED, PROVIDERS), ([{ account, status, code, from }, provider]) => ({
  id: `S3.attempt.${account}-${provider}`,
  title: `An attempt at ${provider} with the account "${account}" ends ${status} with ${code}.`,
  reaches: [
    `transition:attempt.${from}.${status}.${code}`,
    `resultCode:${code}`,
    `enum:ConnectSessionStatus.${status}`,
  ],
  run: async (t) => {
    const { session, result } = await attempt(t, { provider, account });
    ends(t, result, status, code);
    await nothingConnected(t, session);
    t.equal(await resultOf(t, session), result, "the result is stable");
    // Where the provider has no revocation, the user has to remove the consent, regardless of its code.
    const leftBehind = !PROVIDER_FACTS[provider].canRevoke && from === "EXCHANGING";
    t.equal(result.creatorAction, leftBehind ? "REMOVE_APP_AT_PROVIDER" : null, "creatorAction");
  },
}));

const completed = caseForEach(PROVIDERS, (provider) => ({
  id: `S3.attempt.completed-${provider}`,
  title: `An attempt at ${provider} with consent ends COMPLETED, with a connection to that account.`,
  reaches: [
    "transition:attempt.EXCHANGING.COMPLETED",
    "transition:connection.none.CONNECTED",
    "field:ConnectSessionResult.connectionId",
    "field:Connection.providerAccountId",
    `enum:SocialProvider.${provider}`,
  ],
  run: async (t) => {
    const { scope, result } = await attempt(t, { provider });
    ends(t, result, "COMPLETED", null);
    t.equal(result.creatorAction, null, "creatorAction");
    const row = await readConnection(t, { scope, connectionId: result.connectionId ?? "" });
    t.shows(row, { id: result.connectionId ?? "", provider, status: "CONNECTED" }, "the connection");
    const accountId = await t.provider.accountId(provider, GOOD_ACCOUNT[provider]);
    t.equal(row.providerAccountId, accountId, "the provider's own account id");
    t.equal(row.capabilities.map((entry) => entry.capability).sort(), [...ALL_CAPABILITIES].sort(), "capabilities");
  },
}));

export const OUTCOME_CASES = defineCasesWith({ needs: ["provider"] })({
  ...completed,
  ...scripted,
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.attempt.denied-by-person-${provider}`,
    title: `A user who denies at ${provider} ends the attempt DENIED with USER_DENIED.`,
    reaches: ["transition:attempt.AUTHORIZING.DENIED.USER_DENIED"],
    run: async (t) => {
      const { result } = await attempt(t, { provider, decision: "deny" });
      ends(t, result, "DENIED", "USER_DENIED");
      t.equal(result.creatorAction, null, "creatorAction: there is no grant");
    },
  })),
  "S3.attempt.exchanging": {
    title: "While the code is being exchanged the attempt reads EXCHANGING.",
    holds: ["account:C:city-swifts"],
    reaches: ["transition:attempt.AUTHORIZING.EXCHANGING"],
    run: async (t) => {
      const { session } = await whileExchanging(t, { account: "city-swifts", delayMs: 1_500 });
      t.equal((await resultOf(t, session)).status, "COMPLETED", "and completes");
    },
  },
  ...caseForEach(providersWith("grantsInPart"), (provider) => ({
    id: `S2.Connection.capabilities.partial-${provider}`,
    title: `A connection at ${provider} has exactly the capabilities that were requested and granted.`,
    reaches: ["field:Connection.capabilities", "enum:Capability.PROFILE", "enum:Availability.AVAILABLE"],
    run: async (t) => {
      const connected = await connect(t, { provider, account: "partial-scopes" });
      const row = await readConnection(t, connected);
      const names = row.capabilities.map((entry) => entry.capability);
      t.holds(names.includes("PROFILE"), "PROFILE was granted", names);
      t.holds(!names.includes("CONTENT_METRICS"), "CONTENT_METRICS was not granted", names);
      for (const entry of row.capabilities)
        t.shows(entry, { availability: "AVAILABLE", reason: null }, entry.capability);
    },
  })),
  ...caseForEach(ALL_CAPABILITIES, (capability) => ({
    id: `S2.Connection.capabilities.only-${capability}`,
    title: `Where only ${capability} was requested, only it is granted, even if the consent covers more.`,
    reaches: ["field:Connection.capabilities", `enum:Capability.${capability}`],
    run: async (t) => {
      const connected = await connect(t, { capabilities: [capability] });
      const row = await readConnection(t, connected);
      t.equal(row.capabilities, [{ capability, availability: "AVAILABLE", reason: null }], "capabilities");
    },
  })),
  "S3.attempt.policy-changed": {
    title:
      "An attempt whose capability or provider is removed from the policy during the consent ends FAILED with POLICY_CHANGED.",
    needs: ["provider", "operator"],
    reaches: ["transition:attempt.EXCHANGING.FAILED.POLICY_CHANGED"],
    run: async (t) => {
      const { session, browser, callback } = await consented(t);
      await t.driver("operator").setPolicy(t.application, { providers: ["PROVIDER_A"] });
      await browser.get(callback);
      ends(t, await resultOf(t, session), "FAILED", "POLICY_CHANGED");
      await nothingConnected(t, session);
    },
  },
  ...caseForEach(["CREATED", "AUTHORIZING"], (from) => ({
    id: `S3.attempt.application-disabled-${from}`,
    title: `An attempt that is ${from} when its application is disabled ends CANCELED with APPLICATION_DISABLED.`,
    needs: ["provider", "operator"],
    reaches: [
      "resultCode:APPLICATION_DISABLED",
      "enum:ConnectSessionStatus.CANCELED",
      ...(from === "CREATED" ? ["transition:attempt.CREATED.CANCELED.APPLICATION_DISABLED"] : []),
    ],
    run: async (t) => {
      const consent = from === "AUTHORIZING" ? await consented(t) : null;
      const session = consent?.session ?? (await createSession(t));
      await t.driver("operator").setEnabled(t.application, false);
      const visit = consent === null ? await postLaunch(t, session) : await consent.browser.get(consent.callback);
      if (consent === null) t.holds(visit.status !== 303, "a disabled application launches nothing", visit.status);
      await t.driver("operator").setEnabled(t.application, true);
      ends(t, await resultOf(t, session), "CANCELED", "APPLICATION_DISABLED");
    },
  })),
});
