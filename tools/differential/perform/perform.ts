import type { Step } from "../generate/steps.ts";
import type { Actor } from "./actor.ts";
import { performAdmin } from "./admin.ts";
import { call, connectionOf, type Observation, spanOf } from "./calls.ts";
import { comeBack, consent, createSession, launch, showResult } from "./connect.ts";
import { createIdentity, signIn } from "./identity.ts";
import { disconnect, lookUp, receipts, refresh } from "./jobs.ts";
import { performAtProvider } from "./providers.ts";
import { readAll } from "./readAll.ts";

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
    case "admin":
    case "panel":
    case "createApplication":
      return performAdmin(actor, step);
    case "readAll":
      return readAll(actor, now);
    default:
      return performAtProvider(actor, step, now);
  }
}

/** Results that are available once the work that the step started has finished. */
export async function performAfter(actor: Actor, step: Step): Promise<Observation> {
  return step.do === "callback" ? showResult(actor, step.session) : null;
}
