import type { Actor } from "./actor.ts";
import { callWithKey, createApplication, runInPanel } from "./admin.ts";
import { call, connectionOf, type Observation, type Performers, spanOf } from "./calls.ts";
import { comeBack, consent, createIdentity, createSession, launch, redeem, showResult, signIn } from "./connect.ts";
import { disconnect, lookUp, receipts, refresh } from "./jobs.ts";
import { AT_PROVIDERS } from "./providers.ts";
import { readAll } from "./readAll.ts";
import type { Step } from "./steps.ts";

const PERFORMERS: Performers<Step["do"]> = {
  ...AT_PROVIDERS,
  ...{ createSession, consent, refresh, lookup: lookUp, disconnect, receipts, createIdentity, signIn, redeem },
  ...{ admin: callWithKey, panel: runInPanel, createApplication },
  launch: async (actor, step) => launch(actor, step, actor.sessions.get(step.session), `attempt ${step.session}`),
  callback: (actor, step) => comeBack(actor, `attempt ${step.session}`, step, actor.sessions.get(step.session)),
  result: async (actor, { app, session, who }) => {
    const made = typeof session === "number" ? actor.sessions.get(session) : undefined;
    const id = actor.idOf(session, actor.sessions);
    const scope = actor.scope(who ?? made?.who ?? { tenant: "one", subject: "nobody" });
    return id === null ? null : call(actor, app, "connectSessionResult", { scope, id });
  },
  connection: async (actor, step) => {
    const named = connectionOf(actor, step);
    return named && call(actor, step.app, "connection", { scope: named.scope, id: named.connectionId });
  },
  connections: (actor, { app, first, who }) => call(actor, app, "connections", { scope: actor.scope(who), first }),
  content: async (actor, step, now) => {
    const named = connectionOf(actor, step);
    const window = { ...spanOf(step.window, now), first: step.first };
    return named && call(actor, step.app, "content", { ...named, window });
  },
  contentItem: async (actor, step) => {
    const named = connectionOf(actor, step);
    const post = typeof step.post === "number" ? actor.posts.get(step.post)?.post.id : "no-such-post";
    const args = { ...named, providerContentId: post };
    return named && post !== undefined ? call(actor, step.app, "contentItem", args) : null;
  },
  job: async (actor, step) => {
    const named = connectionOf(actor, step);
    const id = actor.idOf(step.job, actor.jobs);
    return named && id !== null ? call(actor, step.app, "syncJob", { ...named, id }) : null;
  },
  launchIdentity: async (actor, { browser, identity, n, origin }) =>
    launch(actor, { n, browser, origin, token: "right" }, actor.identities.get(identity), `identity ${identity}`),
  identityCallback: (actor, step) =>
    comeBack(actor, `identity ${step.identity}`, step, actor.identities.get(step.identity)),
  status: (actor, { app }) => call(actor, app, "status", {}),
  readiness: (actor, { app }) => call(actor, app, "integrationReadiness", {}),
  readAll: (actor, _, now) => readAll(actor, now),
  // The sequence moves time.
  advance: async (actor, { ms }) => {
    actor.passedMs += ms;
    return {};
  },
  advanceTo: async () => ({}),
};

/** Runs a step on one side, and records the result. `now` is the same time on both sides. */
export function perform(actor: Actor, step: Step, now: Date): Promise<Observation> {
  const make = PERFORMERS[step.do] as (actor: Actor, step: Step, now: Date) => Promise<Observation>;
  return make(actor, step, now);
}

/** Results that are available once the work that the step started has finished. */
export async function performAfter(actor: Actor, step: Step): Promise<Observation> {
  return step.do === "callback" ? showResult(actor, step.session) : null;
}
