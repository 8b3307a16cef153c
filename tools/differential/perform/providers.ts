import { PROVIDER_FACTS } from "../../../packages/conformance/src/description/providers.ts";
import type { Step } from "../generate/steps.ts";
import type { Actor } from "./actor.ts";
import { HOUR_MS, type Observation } from "./calls.ts";

/** Events at the providers. They are not compared, because both sides get the same ones. */
export async function performAtProvider(actor: Actor, step: Step, now: Date): Promise<Observation> {
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
    case "requestDeletion": {
      // The code differs between the targets.
      const receipt = await provider.requestDeletion("PROVIDER_C", step.account);
      return { isAccepted: receipt !== null };
    }
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
