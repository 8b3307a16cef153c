import fc from "fast-check";
import type { Capability, Provider } from "../../../packages/conformance/src/index.ts";
import type { Visit } from "../../../packages/conformance/src/wire/browser.ts";
import { adminDocumentOf } from "../../../packages/conformance/src/wire/documents.ts";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import {
  ACCOUNT_SCRIPTS,
  type AccountScript,
  PROVIDER_FIXTURES,
} from "../../../packages/provider-fixtures/src/index.ts";
import { rarely, times, weighted } from "../../times.ts";
import {
  type Actor,
  answered,
  type Identity,
  newest,
  type Observation,
  type Ref,
  relevantHeaders,
  type Session,
  type Subject,
  type Target,
} from "./actor.ts";
import { appOf, onConnection, type Plan, pick, rare, SUBJECT, someOf, step } from "./step.ts";

interface NewSession {
  readonly app: Ref;
  readonly who: Subject;
  readonly provider: Provider;
  readonly capabilities: readonly Capability[];
  readonly returnUrl: "registered" | "other" | "unregistered" | "fragment" | "reserved" | "preview";
  readonly reconnect?: Target | undefined;
  readonly browser: string;
}

export const createSession = (wanted: NewSession) =>
  step("createSession", wanted, (actor, { n }) => openSession(actor, n, wanted));

async function openSession(actor: Actor, n: Ref, wanted: NewSession): Promise<Observation> {
  const { app, browser, capabilities, provider, reconnect, who } = wanted;
  const application = actor.apps.get(app);
  if (application === undefined) return null;
  const target = reconnect === undefined ? undefined : actor.idOf(reconnect, actor.connections);
  if (target === null) return null;
  const { origin } = application;
  const returnUrl = {
    registered: `${origin}/return`,
    other: `${origin}/other-return?kept=1`,
    unregistered: `${origin}/elsewhere`,
    fragment: `${origin}/return#part`,
    reserved: `${origin}/return?ss_status=x`,
    preview: "http://branch.preview.localhost:1/preview-return",
  }[wanted.returnUrl];
  const input = {
    scope: actor.scope(who),
    provider,
    capabilities,
    returnUrl,
    ...(target !== undefined && { reconnectConnectionId: target }),
  };
  const observation = await actor.call(app, "createConnectSession", { input });
  const session = answered<Session>(observation, "createConnectSession");
  const known = typeof reconnect === "number" ? actor.connections.get(reconnect) : undefined;
  const account = known?.provider === provider ? known.account : "";
  const made = { n, app, who, provider, account, browser, stage: "created" } as const;
  if (session !== null) actor.sessions.set(n, { ...session, ...made });
  return observation;
}

interface Launched {
  readonly session: Ref;
  readonly browser: string;
  readonly origin: "right" | "wrong" | "opaque" | "none";
  readonly token: "right" | "wrong" | "missing";
}

/** Posts the form of an attempt or a handoff. */
export const launch = (wanted: Launched) =>
  step("launch", wanted, async (actor) => {
    const session = begunBy(actor, wanted.session);
    if (session === undefined) return null;
    const right = actor.apps.get(session.app)?.origin ?? "https://nowhere.example";
    const origin = { right, wrong: "https://evil.example", opaque: "null", none: null }[wanted.origin];
    const tokens = { right: { launchToken: session.launchToken }, wrong: { launchToken: "f".repeat(64) }, missing: {} };
    const form = tokens[wanted.token] as Record<string, string>;
    const visit = await actor.browser(wanted.browser).post(session.launchUrl, form, origin);
    if (visit.status === 303 && visit.location !== null) {
      actor.pages.set(`${wanted.session}`, visit.location.href);
      Object.assign(session, { stage: "launched", browser: wanted.browser });
    }
    return shownVisit(visit);
  });

const begunBy = ({ sessions, identities }: Actor, n: Ref): Session | Identity | undefined =>
  sessions.get(n) ?? identities.get(n);

interface Consent {
  readonly session: Ref;
  readonly account: string;
  readonly decision: "allow" | "deny";
  readonly scopes: "all" | "none" | "first" | "last" | "butLast";
}

export const consent = (wanted: Consent) =>
  step("consent", wanted, async (actor) => {
    const page = actor.pages.get(`${wanted.session}`);
    const session = actor.sessions.get(wanted.session);
    if (page === undefined || session === undefined) return null;
    const { account, decision } = wanted;
    await admit(actor, session, account);
    const scopes = (all: readonly string[]) =>
      ({ all, none: [], first: all.slice(0, 1), last: all.slice(-1), butLast: all.slice(0, -1) })[wanted.scopes];
    try {
      const back = await actor.side.provider.consent(page, { account, decision, scopes });
      actor.pages.set(`${wanted.session} back`, back.href);
      Object.assign(session, { stage: "consented", account });
      return { back: back.origin + back.pathname, error: back.searchParams.get("error") };
    } catch {
      return { refused: "The provider shows no consent page, or does not take the consent." };
    }
  });

/** The account becomes a tester of the application, except for accounts that must be rejected. */
async function admit(actor: Actor, { app, provider }: Session, account: string): Promise<void> {
  const application = actor.apps.get(app);
  const name = `${app} ${provider} ${account}`;
  if (application === undefined || account === "not-a-tester" || actor.admitted.has(name)) return;
  actor.admitted.add(name);
  const providerAccountId = await actor.side.provider.accountId(provider, account);
  const args = { id: application.id, provider, providerAccountId };
  await (await actor.firstAdmin()).run(adminDocumentOf("addClientTester"), args);
}

interface Return {
  readonly session: Ref;
  readonly browser: string;
  readonly change: "none" | "state" | "error" | "nothing" | "code";
}

/** Comes back from the provider or the issuer. */
export const callback = (wanted: Return) => {
  const { session: n, browser, change } = wanted;
  const comeBack = async (actor: Actor) => {
    const [back, session] = [actor.pages.get(`${n} back`), begunBy(actor, n)];
    if (back === undefined || session === undefined) return null;
    const url = new URL(back);
    if (change === "state") url.searchParams.set("state", "0".repeat(64));
    if (change === "code") url.searchParams.set("code", "no-such-code");
    if (change === "nothing") url.search = "";
    if (change === "error") {
      url.searchParams.delete("code");
      url.searchParams.set("error", "server_error");
    }
    if (browser === session.browser && change !== "state" && change !== "nothing") session.stage = "back";
    return shownVisit(await actor.browser(browser).get(url));
  };
  return step("callback", wanted, comeBack, { performAfter: (actor) => showResult(actor, n) });
};

/** The result of an attempt, including the connection that it created; null for a handoff. */
async function showResult(actor: Actor, n: Ref): Promise<Observation> {
  const session = actor.sessions.get(n);
  if (session === undefined) return null;
  const scope = actor.scope(session.who);
  const observation = await actor.call(session.app, "connectSessionResult", { scope, id: session.id });
  const result = answered<{ readonly connectionId: string | null }>(observation, "connectSessionResult");
  if (result?.connectionId) actor.connections.set(n, { ...session, id: result.connectionId, isDisconnected: false });
  return observation;
}

/** The receipts of a connection are jobs too, by the attempt that made it. */
const [REVOKE, ERASE] = [0.1, 0.2];

/** Only the server's pages have the application's name, branding and a link back. */
const BRANDING =
  /<title>[^<]*<\/title>|<p class="brand">[\s\S]*?<\/p>|<footer>[\s\S]*?<\/footer>|<p><a [^>]*>[^<]*<\/a><\/p>/g;

/** The message of a page: its layout may differ. */
function shownVisit({ headers, location, status, text }: Visit) {
  return {
    status,
    headers: relevantHeaders(headers),
    location: location === null ? null : shownLocation(location),
    text: text
      .replaceAll(BRANDING, " ")
      .replaceAll(/<style[^>]*>[\s\S]*?<\/style>|<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  };
}

/** Only the server has a provider's own parameters; both sides have the redirect to the application. */
function shownLocation(location: URL) {
  const parameters = Object.fromEntries(location.searchParams);
  if (location.searchParams.has("ss_session_id")) return { address: location.origin + location.pathname, parameters };
  return ["state", "redirect_uri", "code_challenge"].map((name) => location.searchParams.has(name));
}
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
export function begin({ hasSiblings }: { readonly hasSiblings: boolean }): fc.Arbitrary<Plan> {
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
    return createSession({
      app: appOf(leader, app),
      ...more,
      who: target && !isAnother ? target.who : (oddWho ?? who),
      provider: otherProvider ?? target?.provider ?? more.provider,
      reconnect: target?.n ?? oddReconnect,
    });
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
    if (stage === "created") return launch({ session, browser, origin, token });
    if (stage === "launched") return consent({ session, account: named ?? "empty", decision, scopes });
    if (stage === "consented") return callback({ session, browser, change });
    return isReplayedForm
      ? launch({ session, browser, origin: "right", token: "right" })
      : callback({ session, browser, change: "none" });
  });
}

const LEFT = fc.record({ who: rarely(5, SUBJECT), readsReceipts: rare(60) });

export const { arbitrary: leave } = onConnection(1, LEFT, ({ who, readsReceipts }, { known, named }) => {
  if (known.isDisconnected && readsReceipts) {
    const { n: connection, app } = known;
    return step("receipts", { connection, app }, async (actor) => {
      const of = actor.connectionOf({ connection });
      const ids = [REVOKE, ERASE].map((kind) => actor.jobs.get(connection + kind)?.id);
      if (of === null || ids[0] === undefined) return null;
      return Promise.all(ids.map((id) => actor.call(app, "syncJob", { ...of, id })));
    });
  }
  const { connection, app } = named;
  return step("disconnect", { connection, app, who }, async (actor) => {
    const of = actor.connectionOf({ connection, who });
    if (of === null) return null;
    const observation = await actor.call(app, "disconnectConnection", of);
    const result = answered<{ revokeJobId: string; eraseJobId: string }>(observation, "disconnectConnection");
    if (result !== null && typeof connection === "number") {
      actor.jobs.set(connection + REVOKE, { id: result.revokeJobId, connection, cursor: null });
      actor.jobs.set(connection + ERASE, { id: result.eraseJobId, connection, cursor: null });
      for (const each of actor.connections.values()) if (each.id === of.connectionId) each.isDisconnected = true;
    }
    return observation;
  });
});

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

/** The next step of a handoff. */
export const identity: fc.Arbitrary<Plan> = IN_HANDOFF.map(({ picked, otherBrowser, ...drawn }) => (leader) => {
  const { change, decision, origin, person, proof, returnUrl, tenant } = drawn;
  const all = [...leader.identities.values()];
  const app = appOf(leader, drawn.app);
  const known = newest(all.slice(-3), picked);
  if (known !== undefined && drawn.redeems) {
    const of = drawn.otherApp ? app : known.app;
    const identity = drawn.isUnknown ? "unknown" : known.n;
    return step("redeem", { identity, app: of, tenant, proof }, async (actor) => {
      const id = actor.idOf(identity, actor.identities);
      const made = typeof identity === "number" ? actor.identities.get(identity) : undefined;
      const resultProof = (proof === "right" ? made?.resultProof : "0".repeat(64)) ?? "1".repeat(64);
      const args = { id, tenantKey: `tenant-${tenant}`, resultProof };
      return id === null ? null : actor.call(of, "redeemIdpIdentityResult", args);
    });
  }
  const open = newest(all.filter(({ stage }) => stage !== "back").slice(-2), picked);
  if (open === undefined || drawn.begins) {
    const { browser } = drawn;
    return step("createIdentity", { app, tenant, returnUrl, browser }, async (actor, { n }) => {
      const application = actor.apps.get(app);
      if (application === undefined) return null;
      const path = returnUrl === "registered" ? "identity-return" : "elsewhere";
      const input = { tenantKey: `tenant-${tenant}`, returnUrl: `${application.origin}/${path}` };
      const observation = await actor.call(app, "createIdpIdentitySession", { input });
      const session = answered<Identity>(observation, "createIdpIdentitySession");
      if (session !== null) actor.identities.set(n, { ...session, n, app, browser, stage: "created" });
      return observation;
    });
  }
  const { n: identity, stage } = open;
  const browser = otherBrowser ?? open.browser;
  if (stage === "created") return launch({ session: identity, browser, origin, token: "right" });
  if (stage === "launched")
    return step("signIn", { identity, person, decision }, async (actor) => {
      const [address, session] = [actor.pages.get(`${identity}`), actor.identities.get(identity)];
      if (address === undefined || session === undefined) return null;
      const back = await actor.side.identity.signIn(address, { person, decision });
      actor.pages.set(`${identity} back`, back.href);
      session.stage = "consented";
      return { back: back.origin + back.pathname, error: back.searchParams.get("error") };
    });
  return callback({ session: identity, browser, change });
});
