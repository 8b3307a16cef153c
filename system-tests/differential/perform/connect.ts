import type { Visit } from "../../../packages/conformance/src/wire/browser.ts";
import { type Actor, type Identity, relevantHeaders, type Session } from "./actor.ts";
import { answered, call, type Observation } from "./calls.ts";
import type { StepOf } from "./steps.ts";

type Begun = Session | Identity;

export async function createSession(actor: Actor, step: StepOf<"createSession">): Promise<Observation> {
  const { app, capabilities, n, provider, reconnect, who } = step;
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
  }[step.returnUrl];
  const input = {
    scope: actor.scope(who),
    provider,
    capabilities,
    returnUrl,
    ...(target !== undefined && { reconnectConnectionId: target }),
  };
  const observation = await call(actor, app, "createConnectSession", { input });
  const session = answered<Session>(observation, "createConnectSession");
  const known = typeof reconnect === "number" ? actor.connections.get(reconnect) : undefined;
  const account = known?.provider === provider ? known.account : "";
  const made = { n, app, who, provider, account, browser: step.browser, stage: "created" } as const;
  if (session !== null) actor.sessions.set(n, { ...session, ...made });
  return observation;
}

export async function launch(
  actor: Actor,
  step: Pick<StepOf<"launch">, "browser" | "origin" | "token" | "n">,
  session: Begun | undefined,
  page: string,
): Promise<Observation> {
  if (session === undefined) return null;
  const right = actor.apps.get(session.app)?.origin ?? "https://nowhere.example";
  const origin = { right, wrong: "https://evil.example", opaque: "null", none: null }[step.origin];
  const tokens = { right: { launchToken: session.launchToken }, wrong: { launchToken: "f".repeat(64) }, missing: {} };
  const visit = await actor
    .browser(step.browser)
    .post(session.launchUrl, tokens[step.token] as Record<string, string>, origin);
  if (visit.status === 303 && visit.location !== null) {
    actor.pages.set(page, visit.location.href);
    Object.assign(session, { stage: "launched", browser: step.browser });
  }
  return shownVisit(visit);
}

export async function consent(actor: Actor, step: StepOf<"consent">): Promise<Observation> {
  const page = actor.pages.get(`attempt ${step.session}`);
  const session = actor.sessions.get(step.session);
  if (page === undefined || session === undefined) return null;
  await admit(actor, session, step.account);
  const scopes = (offered: readonly string[]) =>
    ({ all: offered, none: [], first: offered.slice(0, 1), last: offered.slice(-1), butLast: offered.slice(0, -1) })[
      step.scopes
    ];
  try {
    const back = await actor.side.provider.consent(page, { account: step.account, decision: step.decision, scopes });
    actor.pages.set(`attempt ${step.session} back`, back.href);
    Object.assign(session, { stage: "consented", account: step.account });
    return { back: back.origin + back.pathname, error: back.searchParams.get("error") };
  } catch {
    return { refused: "The provider shows no consent page, or does not take the consent." };
  }
}

/** The account becomes a tester of the application, except for accounts that must be rejected. */
async function admit(actor: Actor, { app, provider }: Session, account: string): Promise<void> {
  const application = actor.apps.get(app);
  const name = `${app} ${provider} ${account}`;
  if (application === undefined || account === "not-a-tester" || actor.admitted.has(name)) return;
  actor.admitted.add(name);
  const providerAccountId = await actor.side.provider.accountId(provider, account);
  const panel = await actor.panel("admin");
  await panel?.run(
    "mutation($id: ID!, $provider: SocialProvider!, $account: String!) { addClientTester(id: $id, provider: $provider, providerAccountId: $account) { __typename } }",
    { id: application.id, provider, account: providerAccountId },
  );
}

export async function comeBack(
  actor: Actor,
  page: string,
  { browser, change }: Pick<StepOf<"callback">, "browser" | "change">,
  session: Begun | undefined,
): Promise<Observation> {
  const back = actor.pages.get(`${page} back`);
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
}

/** The result of an attempt, including the connection that it created. */
export async function showResult(actor: Actor, n: number): Promise<Observation> {
  const session = actor.sessions.get(n);
  if (session === undefined) return null;
  const scope = actor.scope(session.who);
  const observation = await call(actor, session.app, "connectSessionResult", { scope, id: session.id });
  const result = answered<{ readonly connectionId: string | null }>(observation, "connectSessionResult");
  if (result?.connectionId) actor.connections.set(n, { ...session, id: result.connectionId, isDisconnected: false });
  return observation;
}

export async function createIdentity(actor: Actor, step: StepOf<"createIdentity">): Promise<Observation> {
  const { app, n, returnUrl, tenant } = step;
  const application = actor.apps.get(app);
  if (application === undefined) return null;
  const path = returnUrl === "registered" ? "identity-return" : "elsewhere";
  const input = { tenantKey: `tenant-${tenant}`, returnUrl: `${application.origin}/${path}` };
  const observation = await call(actor, app, "createIdpIdentitySession", { input });
  const session = answered<Parameters<Actor["identities"]["set"]>[1]>(observation, "createIdpIdentitySession");
  if (session !== null) actor.identities.set(n, { ...session, n, app, browser: step.browser, stage: "created" });
  return observation;
}

export async function signIn(actor: Actor, step: StepOf<"signIn">): Promise<Observation> {
  const page = actor.pages.get(`identity ${step.identity}`);
  const session = actor.identities.get(step.identity);
  if (page === undefined || session === undefined) return null;
  const back = await actor.side.identity.signIn(page, { person: step.person, decision: step.decision });
  actor.pages.set(`identity ${step.identity} back`, back.href);
  session.stage = "consented";
  return { back: back.origin + back.pathname, error: back.searchParams.get("error") };
}

export async function redeem(actor: Actor, { app, identity, proof, tenant }: StepOf<"redeem">): Promise<Observation> {
  const made = typeof identity === "number" ? actor.identities.get(identity) : undefined;
  const id = actor.idOf(identity, actor.identities);
  const resultProof = (proof === "right" ? made?.resultProof : "0".repeat(64)) ?? "1".repeat(64);
  return id === null
    ? null
    : call(actor, app, "redeemIdpIdentityResult", { id, tenantKey: `tenant-${tenant}`, resultProof });
}

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
