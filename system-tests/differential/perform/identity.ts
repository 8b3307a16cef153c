import type { Actor } from "./actor.ts";
import { answered, call, type Observation } from "./calls.ts";
import type { StepOf } from "./steps.ts";

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
