import fc from "fast-check";
import type { Provider } from "../../../packages/conformance/src/index.ts";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import {
  ACCOUNT_SCRIPTS,
  type AccountScript,
  PROVIDER_FIXTURES,
} from "../../../packages/provider-fixtures/src/index.ts";
import { rarely, times, weighted } from "../../times.ts";
import { newest, type Session } from "../perform/actor.ts";
import type { Subject, Target } from "../perform/steps.ts";
import { appOf, onConnection, type Plan, pick, rare, SUBJECT, someOf } from "./arbitraries.ts";

const SCRIPTED_EVERYWHERE = [
  ...["deny", "provider-error", "no-scopes", "exchange-refused", "exchange-5xx", "expired-refresh", "rate-limited"],
  ...["flaky-5xx", "down", "removed-app", "empty", "not-a-tester", "unicode"],
];
const SCRIPTED_AT_SOME: readonly (keyof typeof ACCOUNT_SCRIPTS)[] = [
  ...(["revoke-fails-twice", "revoke-rejected", "sibling-1", "sibling-2", "rotating-refresh", "no-channel"] as const),
  ...(["partial-scopes", "no-shares", "flat-token", "comments-off", "hidden-likes"] as const),
];
const scriptedAt = (provider: Provider) =>
  SCRIPTED_AT_SOME.filter((name) => (ACCOUNT_SCRIPTS[name] as AccountScript).providers?.includes(provider));
const accountsAt = (provider: Provider) => ({
  ordinary: PROVIDER_FIXTURES[provider].ordinaryAccounts.slice(0, 2),
  scripted: scriptedAt(provider),
  everywhere: SCRIPTED_EVERYWHERE,
});
const WITH_SIBLINGS = SOCIAL_PROVIDERS.filter((provider) => scriptedAt(provider).includes("sibling-1"));

const RETURN_URL = weighted({ registered: 200, other: 30, unregistered: 5, fragment: 3, reserved: 3, preview: 3 });
const ODD_SUBJECT = fc.constantFrom<Subject>(
  { tenant: "unregistered", subject: "ann" },
  ...[0, 128, 129].map((length) => ({ tenant: "one", subject: "x".repeat(length) }) as const),
);

/** `hasSiblings`: mostly at providers where accounts may share a grant. */
export function createSession({ hasSiblings }: { readonly hasSiblings: boolean }): fc.Arbitrary<Plan> {
  const provider = fc.constantFrom<Provider>(
    ...(hasSiblings ? ["PROVIDER_A" as const, ...WITH_SIBLINGS] : SOCIAL_PROVIDERS),
  );
  const drawn = fc.record({
    ...{ app: pick, who: SUBJECT, oddWho: rarely(4, ODD_SUBJECT), provider, returnUrl: RETURN_URL },
    otherProvider: rarely(3, fc.constantFrom(...SOCIAL_PROVIDERS)),
    capabilities: fc.oneof(
      times(80, fc.constant(CAPABILITIES)),
      times(30, someOf(CAPABILITIES)),
      times(3, fc.constant([])),
      times(3, fc.constant(["PROFILE", "PROFILE"] as const)),
    ),
    browser: fc.constantFrom("one", "one", "two"),
    reconnect: rarely(25, fc.tuple(pick, rare(10))),
    oddReconnect: rarely(3, fc.constantFrom<Target>("unknown", "malformed")),
  });
  return drawn.map(({ app, who, oddWho, otherProvider, reconnect, oddReconnect, ...more }) => (leader) => {
    const [picked, isAnother] = reconnect ?? [];
    const connected = [...leader.connections.values()].filter(({ isDisconnected }) => !isDisconnected);
    const target = picked === undefined ? undefined : newest(connected, picked);
    return {
      do: "createSession",
      app: appOf(leader, app),
      ...more,
      who: target && !isAnother ? target.who : (oddWho ?? who),
      provider: otherProvider ?? target?.provider ?? more.provider,
      reconnect: target?.n ?? oddReconnect,
    };
  });
}

/** The next step of a browser in an attempt in progress; sometimes of another browser, or a replay. */
export function proceed({ hasSiblings }: { readonly hasSiblings: boolean }): fc.Arbitrary<Plan> {
  const drawn = fc.record({
    ...{ picked: fc.nat({ max: 2 }), isAny: rare(5), otherBrowser: rarely(5, fc.constantFrom("one", "two", "three")) },
    ...{ account: pick, isOther: rare(15), isReplayedForm: fc.boolean() },
    kind: weighted(
      hasSiblings ? { ordinary: 4, scripted: 3, everywhere: 1 } : { ordinary: 6, scripted: 2, everywhere: 2 },
    ),
    origin: weighted({ right: 40, wrong: 2, opaque: 1, none: 1 }),
    token: weighted({ right: 60, wrong: 2, missing: 1 }),
    decision: weighted({ allow: 94, deny: 6 }),
    scopes: weighted({ all: 16, none: 1, first: 1, last: 1, butLast: 1 }),
    change: weighted({ none: 48, state: 2, error: 2, nothing: 1, code: 1 }),
  });
  return drawn.map(({ picked, isAny, otherBrowser, account, isOther, isReplayedForm, kind, ...more }) => (leader) => {
    const all = [...leader.sessions.values()];
    const open = all.filter(({ stage }) => stage !== "back");
    const found = newest<Session>((isAny || open.length === 0 ? all : open).slice(-3), picked);
    if (found === undefined) return null;
    const { n: session, provider, stage } = found;
    const { change, decision, origin, scopes, token } = more;
    const browser = otherBrowser ?? found.browser;
    const accounts: readonly string[] = accountsAt(provider)[kind];
    const named = found.account !== "" && !isOther ? found.account : accounts[account % accounts.length];
    if (stage === "created") return { do: "launch", session, browser, origin, token };
    if (stage === "launched") return { do: "consent", session, account: named ?? "empty", decision, scopes };
    if (stage === "consented") return { do: "callback", session, browser, change };
    return isReplayedForm
      ? { do: "launch", session, browser, origin: "right", token: "right" }
      : { do: "callback", session, browser, change: "none" };
  });
}

const LEFT = fc.record({ who: rarely(5, SUBJECT), readsReceipts: rare(60) });
export const { arbitrary: leave } = onConnection(
  1,
  LEFT,
  ({ who, readsReceipts }, { known, named: { connection, app } }) =>
    known.isDisconnected && readsReceipts
      ? { do: "receipts", connection: known.n, app: known.app }
      : { do: "disconnect", connection, app, who },
);

const IN_HANDOFF = fc.record({
  ...{
    app: pick,
    otherApp: rare(5),
    tenant: weighted({ one: 20, two: 2, unregistered: 1 }),
    picked: fc.nat({ max: 2 }),
  },
  ...{ redeems: rare(30), begins: rare(20), isUnknown: rare(3), otherBrowser: rarely(7, fc.constant("three")) },
  proof: weighted({ right: 85, wrong: 15 }),
  returnUrl: weighted({ registered: 95, unregistered: 5 }),
  browser: fc.constantFrom("one", "two"),
  origin: weighted({ right: 94, wrong: 6 }),
  person: fc.constantFrom("ada", "ada", "ben", "no-email", "unicode", "deny"),
  decision: weighted({ allow: 9, deny: 1 }),
  change: weighted({ none: 20, state: 1, error: 1 }),
});

export const identity: fc.Arbitrary<Plan> = IN_HANDOFF.map(({ picked, otherBrowser, ...drawn }) => (leader) => {
  const { change, decision, origin, person, proof, returnUrl, tenant } = drawn;
  const all = [...leader.identities.values()];
  const app = appOf(leader, drawn.app);
  const known = newest(all.slice(-3), picked);
  if (known !== undefined && drawn.redeems) {
    const of = drawn.otherApp ? app : known.app;
    return { do: "redeem", identity: drawn.isUnknown ? "unknown" : known.n, app: of, tenant, proof };
  }
  const open = newest(all.filter(({ stage }) => stage !== "back").slice(-2), picked);
  if (open === undefined || drawn.begins)
    return { do: "createIdentity", app, tenant, returnUrl, browser: drawn.browser };
  const { n: identity, stage } = open;
  const browser = otherBrowser ?? open.browser;
  if (stage === "created") return { do: "launchIdentity", identity, browser, origin };
  if (stage === "launched") return { do: "signIn", identity, person, decision };
  return { do: "identityCallback", identity, browser, change };
});
