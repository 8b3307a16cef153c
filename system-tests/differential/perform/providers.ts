import { PROVIDER_FACTS } from "../../../packages/conformance/src/description/providers.ts";
import { HOUR_MS, type Performers } from "./calls.ts";

type Kinds = "publish" | "visibility" | "endGrants" | "removeApp" | "requestDeletion" | "fault" | "clearFaults";

/** Events at the providers. They are not compared, because both sides get the same ones. */
export const AT_PROVIDERS: Performers<Kinds> = {
  publish: async ({ posts, side }, { account, hoursAgo, n, provider }, now) => {
    // A minute a step, so that two posts of the same hour have the same order on both sides.
    const agoMs = hoursAgo * HOUR_MS + n * 60_000;
    const publishedAt = new Date(Math.floor((now.getTime() - agoMs) / 1_000) * 1_000);
    const written = { title: `Post of step ${n}`, text: `Published by step ${n}.` };
    const [form] = PROVIDER_FACTS[provider].forms;
    const post = await side.provider.publish(provider, account, { publishedAt, ...written, form });
    posts.set(n, { post, provider, account });
    return { id: post.id, url: post.url };
  },
  visibility: async ({ posts, side }, step) => {
    const made = posts.get(step.post);
    if (made === undefined) return null;
    await side.provider.setVisibility(made.provider as never, made.account, made.post.id, step.visibility);
    return {};
  },
  endGrants: async ({ side }, { account, provider }) => {
    await side.provider.endGrants(provider, account);
    return {};
  },
  removeApp: async ({ side }, { account, provider }) => {
    await side.provider.removeApp(provider, account);
    return {};
  },
  // The code differs between the targets.
  requestDeletion: async ({ side }, { account }) => ({
    isAccepted: (await side.provider.requestDeletion("PROVIDER_C", account)) !== null,
  }),
  fault: async ({ lift, side }, { account, call, count, fault, provider }) => {
    lift.push(await side.provider.fault(provider, call, fault, { count, ...(account !== undefined && { account }) }));
    return {};
  },
  clearFaults: async ({ lift }) => {
    for (const end of lift.splice(0)) await end();
    return {};
  },
};
