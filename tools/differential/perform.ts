import { PROVIDER_FACTS } from "../../packages/conformance/src/description/providers.ts";
import type { Visit } from "../../packages/conformance/src/wire/browser.ts";
import type { OperationName } from "../../packages/conformance/src/wire/documents.ts";
import { documentOf } from "../../packages/conformance/src/wire/documents.ts";
import type { Actor } from "./actor.ts";
import { relevantHeaders, shown } from "./actor.ts";
import { performAdmin } from "./performAdmin.ts";
import { readAll } from "./readAll.ts";
import { performRequest } from "./requests.ts";
import type { Step, StepOf, Subject, Window } from "./steps.ts";

/** What one side showed at a step; null where the step has nothing to do, because what it refers to was never made. */
export type Observation = unknown;

const HOUR_MS = 3_600_000;

/** Runs a step on one side, and records the result. `now` is the same time on both sides. */
export async function perform(actor: Actor, step: Step, now: Date): Promise<Observation> {
  switch (step.do) {
    case "createSession":
      return createSession(actor, step);
    case "launch": {
      const session = actor.sessions.get(step.session);
      return session ? launch(actor, step, session, `attempt ${step.session}`) : null;
    }
    case "consent":
      return consent(actor, step);
    case "callback":
      return comeBack(actor, `attempt ${step.session}`, step.browser, step.change);
    case "result": {
      const session = typeof step.session === "number" ? actor.sessions.get(step.session) : undefined;
      const who = step.who ?? session?.who ?? { tenant: "one", subject: "nobody" };
      const id = actor.idOf(step.session, actor.sessions);
      return id === null ? null : call(actor, step.app, "connectSessionResult", { scope: actor.scope(who), id });
    }
    case "connection": {
      const named = connectionOf(actor, step);
      return named && call(actor, step.app, "connection", { scope: named.scope, id: named.connectionId });
    }
    case "connections": {
      const { app, first, who } = step;
      return call(actor, app, "connections", { scope: actor.scope(who), first });
    }
    case "content": {
      const named = connectionOf(actor, step);
      return (
        named &&
        call(actor, step.app, "content", { ...named, window: { ...spanOf(step.window, now), first: step.first } })
      );
    }
    case "contentItem": {
      const named = connectionOf(actor, step);
      const post = typeof step.post === "number" ? actor.posts.get(step.post)?.post.id : "no-such-post";
      return named && post !== undefined
        ? call(actor, step.app, "contentItem", { ...named, providerContentId: post })
        : null;
    }
    case "refresh":
      return refresh(actor, step, now);
    case "lookup":
      return lookUp(actor, step);
    case "job": {
      const named = connectionOf(actor, step);
      const id = actor.idOf(step.job, actor.jobs);
      return named && id !== null ? call(actor, step.app, "syncJob", { ...named, id }) : null;
    }
    case "disconnect":
      return disconnect(actor, step);
    case "receipts":
      return receipts(actor, step);
    case "createIdentity":
      return createIdentity(actor, step);
    case "launchIdentity": {
      const identity = actor.identities.get(step.identity);
      const { browser, n, origin } = step;
      return identity
        ? launch(actor, { n, browser, origin, token: "right" }, identity, `identity ${step.identity}`)
        : null;
    }
    case "signIn":
      return signIn(actor, step);
    case "identityCallback":
      return comeBack(actor, `identity ${step.identity}`, step.browser, step.change);
    case "redeem": {
      const identity = typeof step.identity === "number" ? actor.identities.get(step.identity) : undefined;
      const id = actor.idOf(step.identity, actor.identities);
      const proof = step.proof === "right" ? identity?.resultProof : "0".repeat(64);
      if (id === null) return null;
      const args = { id, tenantKey: `tenant-${step.tenant}`, resultProof: proof ?? "1".repeat(64) };
      return call(actor, step.app, "redeemIdpIdentityResult", args);
    }
    case "status":
      return call(actor, step.app, "status", {});
    case "readiness":
      return call(actor, step.app, "integrationReadiness", {});
    case "request":
      return performRequest(actor, step);
    case "admin":
    case "panel":
    case "adminRequest":
    case "createApplication":
      return performAdmin(actor, step);
    case "readAll":
      return readAll(actor, now);
    default:
      return performOutside(actor, step, now);
  }
}

/** Results that are available once the work that the step started has finished. */
export async function performAfter(actor: Actor, step: Step): Promise<Observation> {
  return step.do === "callback" ? showResult(actor, step.session) : null;
}

/** Events at the providers. They are not compared, because both sides get the same ones. */
async function performOutside(actor: Actor, step: Step, now: Date): Promise<Observation> {
  const { provider } = actor.side;
  switch (step.do) {
    case "publish": {
      // A minute a step, so that two posts of the same hour have the same order on both sides.
      const agoMs = step.hoursAgo * HOUR_MS + step.n * 60_000;
      const publishedAt = new Date(Math.floor((now.getTime() - agoMs) / 1_000) * 1_000);
      const post = await provider.publish(step.provider, step.account, {
        publishedAt,
        title: `Post of step ${step.n}`,
        text: `Published by step ${step.n}.`,
        form: PROVIDER_FACTS[step.provider].forms[0],
      });
      actor.posts.set(step.n, { post, provider: step.provider, account: step.account });
      return { id: post.id, url: post.url };
    }
    case "visibility": {
      const made = actor.posts.get(step.post);
      if (made === undefined) return null;
      await provider.setVisibility(made.provider as never, made.account, made.post.id, step.visibility);
      return {};
    }
    case "endGrants":
      await provider.endGrants(step.provider, step.account);
      return {};
    case "removeApp":
      await provider.removeApp(step.provider, step.account);
      return {};
    case "fault": {
      const { account, call: name, count, fault, provider: at } = step;
      actor.lift.push(await provider.fault(at, name, fault, { count, ...(account !== undefined && { account }) }));
      return {};
    }
    case "clearFaults":
      for (const lift of actor.lift.splice(0)) await lift();
      return {};
    default:
      return {};
  }
}

/** Calls an operation of the consumer API as an application; null when the application has no key. */
export async function call(actor: Actor, app: number, name: OperationName, args: unknown): Promise<Observation> {
  const api = actor.consumer(app);
  return api && shown(await api.graphql(documentOf(name), args));
}

/** The value of an answer that has one. */
export function answered<Value>(observation: Observation, name: string): Value | null {
  const { body } = (observation ?? {}) as { body?: { data?: Record<string, Value | null> | null } };
  return body?.data?.[name] ?? null;
}

export function spanOf({ fromHoursAgo, toHoursAgo }: Window, now: Date) {
  // Whole minutes, so that a repeated step asks for the same window.
  const at = (hours: number) => new Date(Math.floor(now.getTime() / 60_000) * 60_000 - hours * HOUR_MS).toISOString();
  return { publishedAfter: at(fromHoursAgo), publishedBefore: at(toHoursAgo) };
}

function connectionOf(actor: Actor, { connection, ...step }: { readonly connection: unknown; readonly who?: Subject }) {
  const made = typeof connection === "number" ? actor.connections.get(connection) : undefined;
  const connectionId = actor.idOf(connection as never, actor.connections);
  if (connectionId === null) return null;
  return { scope: actor.scope(step.who ?? made?.who ?? { tenant: "one", subject: "nobody" }), connectionId };
}

async function createSession(actor: Actor, step: StepOf<"createSession">): Promise<Observation> {
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
  const session = answered<Omit<ActorSession, "app">>(observation, "createConnectSession");
  if (session !== null) actor.sessions.set(n, { ...session, n, app, who, provider });
  return observation;
}

type ActorSession = Parameters<Actor["sessions"]["set"]>[1];

async function launch(
  actor: Actor,
  step: Pick<StepOf<"launch">, "browser" | "origin" | "token" | "n">,
  session: { readonly launchUrl: string; readonly launchToken: string; readonly app: number },
  page: string,
): Promise<Observation> {
  const right = actor.apps.get(session.app)?.origin ?? "https://nowhere.example";
  const origin = { right, wrong: "https://evil.example", opaque: "null", none: null }[step.origin];
  const tokens = { right: { launchToken: session.launchToken }, wrong: { launchToken: "f".repeat(64) }, missing: {} };
  const visit = await actor
    .browser(step.browser)
    .post(session.launchUrl, tokens[step.token] as Record<string, string>, origin);
  if (visit.status === 303 && visit.location !== null) actor.pages.set(page, visit.location.href);
  return shownVisit(visit);
}

async function consent(actor: Actor, step: StepOf<"consent">): Promise<Observation> {
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
    return { back: back.origin + back.pathname, error: back.searchParams.get("error") };
  } catch {
    return { refused: "The provider shows no consent page, or does not take the consent." };
  }
}

/** The account becomes a tester of the application, except for accounts that must be rejected. */
async function admit(actor: Actor, { app, provider }: ActorSession, account: string): Promise<void> {
  const application = actor.apps.get(app);
  const name = `${app} ${provider} ${account}`;
  if (application === undefined || account === "not-a-tester" || actor.admitted.has(name)) return;
  actor.admitted.add(name);
  const providerAccountId = await actor.side.provider.accountId(provider as never, account);
  const panel = await actor.panel("admin");
  await panel?.run(
    "mutation($id: ID!, $provider: SocialProvider!, $account: String!) { addClientTester(id: $id, provider: $provider, providerAccountId: $account) { __typename } }",
    { id: application.id, provider, account: providerAccountId },
  );
}

async function comeBack(
  actor: Actor,
  page: string,
  browser: string,
  change: "none" | "state" | "error" | "nothing" | "code",
): Promise<Observation> {
  const back = actor.pages.get(`${page} back`);
  if (back === undefined) return null;
  const url = new URL(back);
  if (change === "state") url.searchParams.set("state", "0".repeat(64));
  if (change === "code") url.searchParams.set("code", "no-such-code");
  if (change === "nothing") url.search = "";
  if (change === "error") {
    url.searchParams.delete("code");
    url.searchParams.set("error", "server_error");
  }
  return shownVisit(await actor.browser(browser).get(url));
}

/** The result of an attempt, including the connection that it created. */
async function showResult(actor: Actor, n: number): Promise<Observation> {
  const session = actor.sessions.get(n);
  if (session === undefined) return null;
  const scope = actor.scope(session.who);
  const observation = await call(actor, session.app, "connectSessionResult", { scope, id: session.id });
  const result = answered<{ readonly connectionId: string | null }>(observation, "connectSessionResult");
  if (result?.connectionId) actor.connections.set(n, { id: result.connectionId, app: session.app, who: session.who });
  return observation;
}

async function refresh(actor: Actor, step: StepOf<"refresh">, now: Date): Promise<Observation> {
  const named = connectionOf(actor, step);
  if (named === null) return null;
  const { maxItems, window } = step;
  const args: Record<string, unknown> = { ...named };
  if (window !== undefined) args["window"] = { ...spanOf(window, now), ...(maxItems !== undefined && { maxItems }) };
  if (step.post !== undefined) {
    const id = typeof step.post === "number" ? actor.posts.get(step.post)?.post.id : "no-such-post";
    if (id === undefined) return null;
    args["providerContentId"] = id;
  }
  if (step.continues !== undefined) {
    const cursor = typeof step.continues === "number" ? actor.jobs.get(step.continues)?.cursor : "not-a-cursor";
    if (cursor == null) return null;
    args["continuationCursor"] = cursor;
  }
  return keepJob(actor, step, await call(actor, step.app, "requestRefresh", args), "requestRefresh");
}

async function lookUp(actor: Actor, step: StepOf<"lookup">): Promise<Observation> {
  const named = connectionOf(actor, step);
  const post = typeof step.post === "number" ? actor.posts.get(step.post)?.post.url : undefined;
  const urls = {
    foreign: "https://www.youtube.com/watch?v=AAAAAAAAAAA",
    "other-host": "https://evil.example/watch?v=AAAAAAAAAAA",
    http: "http://www.youtube.com/watch?v=AAAAAAAAAAA",
    long: `https://www.youtube.com/watch?v=AAAAAAAAAAA&x=${"y".repeat(2_048)}`,
  };
  const url = typeof step.post === "number" ? post : urls[step.post];
  if (named === null || url === undefined) return null;
  return keepJob(
    actor,
    step,
    await call(actor, step.app, "requestContentLookup", { ...named, url }),
    "requestContentLookup",
  );
}

function keepJob(
  actor: Actor,
  { connection, n }: { readonly n: number; readonly connection: unknown },
  observation: Observation,
  name: string,
): Observation {
  const job = answered<{ readonly id: string }>(observation, name);
  if (job !== null && typeof connection === "number") actor.jobs.set(n, { id: job.id, connection, cursor: null });
  return observation;
}

async function disconnect(actor: Actor, step: StepOf<"disconnect">): Promise<Observation> {
  const named = connectionOf(actor, step);
  if (named === null) return null;
  const observation = await call(actor, step.app, "disconnectConnection", named);
  const result = answered<{ revokeJobId: string; eraseJobId: string }>(observation, "disconnectConnection");
  if (result !== null && typeof step.connection === "number") {
    const { connection } = step;
    actor.jobs.set(connection + REVOKE, { id: result.revokeJobId, connection, cursor: null });
    actor.jobs.set(connection + ERASE, { id: result.eraseJobId, connection, cursor: null });
  }
  return observation;
}

/** The receipts of a connection are jobs too, by the attempt that made it. */
const REVOKE = 0.1;
const ERASE = 0.2;

async function receipts(actor: Actor, { app, connection }: StepOf<"receipts">): Promise<Observation> {
  const made = actor.connections.get(connection);
  const ids = [REVOKE, ERASE].map((kind) => actor.jobs.get(connection + kind)?.id);
  if (made === undefined || ids[0] === undefined) return null;
  const named = { scope: actor.scope(made.who), connectionId: made.id };
  return Promise.all(ids.map((id) => call(actor, app, "syncJob", { ...named, id })));
}

async function createIdentity(actor: Actor, step: StepOf<"createIdentity">): Promise<Observation> {
  const { app, n, returnUrl, tenant } = step;
  const application = actor.apps.get(app);
  if (application === undefined) return null;
  const path = returnUrl === "registered" ? "identity-return" : "elsewhere";
  const input = { tenantKey: `tenant-${tenant}`, returnUrl: `${application.origin}/${path}` };
  const observation = await call(actor, app, "createIdpIdentitySession", { input });
  const session = answered<Parameters<Actor["identities"]["set"]>[1]>(observation, "createIdpIdentitySession");
  if (session !== null) actor.identities.set(n, { ...session, n, app });
  return observation;
}

async function signIn(actor: Actor, step: StepOf<"signIn">): Promise<Observation> {
  const page = actor.pages.get(`identity ${step.identity}`);
  if (page === undefined) return null;
  const back = await actor.side.identity.signIn(page, { person: step.person, decision: step.decision });
  actor.pages.set(`identity ${step.identity} back`, back.href);
  return { back: back.origin + back.pathname, error: back.searchParams.get("error") };
}

/** Only the server's pages have the application's name, branding and a link back. */
const BRANDING =
  /<title>[^<]*<\/title>|<p class="brand">[\s\S]*?<\/p>|<footer>[\s\S]*?<\/footer>|<p><a [^>]*>[^<]*<\/a><\/p>/g;

/** The message of a page: its layout may differ. */
export function shownVisit({ headers, location, status, text }: Visit) {
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
