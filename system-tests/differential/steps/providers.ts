import fc from "fast-check";
import { PROVIDER_FACTS } from "../../../packages/conformance/src/description/providers.ts";
import type { ProviderCall, ProviderFault } from "../../../packages/conformance/src/index.ts";
import { SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import { rarely } from "../../times.ts";
import { newest } from "./actor.ts";
import { onConnection, type Plan, pick, planned, step } from "./step.ts";

const HOURS_AGO = fc.constantFrom(1, 5, 30, 100, 400, 2_000);
const VISIBILITY = fc.constantFrom("public" as const, "private" as const, "deleted" as const);
const ANY = fc.constant(null);

/** What users do at the provider of a connection. It is not compared, because both sides get the same. */
export const provider: fc.Arbitrary<Plan> = fc.oneof(
  onConnection(8, HOURS_AGO, (hoursAgo, { at, at: { provider, account } }) =>
    step("publish", { ...at, hoursAgo }, async ({ posts, side }, { n, now }) => {
      // A minute a step, so that two posts of the same hour have the same order on both sides.
      const agoMs = hoursAgo * 3_600_000 + n * 60_000;
      const publishedAt = new Date(Math.floor((now.getTime() - agoMs) / 1_000) * 1_000);
      const written = { title: `Post of step ${n}`, text: `Published by step ${n}.` };
      const [form] = PROVIDER_FACTS[provider].forms;
      const post = await side.provider.publish(provider, account, { publishedAt, ...written, form });
      posts.set(n, { post, ...at });
      return { id: post.id, url: post.url };
    }),
  ),
  onConnection(4, fc.tuple(pick, VISIBILITY), ([picked, visibility], { at }, leader) => {
    const posts = [...leader.posts].filter(([, { provider }]) => provider === at.provider);
    const [post] = newest(posts, picked) ?? [];
    if (post === undefined) return null;
    return step("visibility", { post, visibility }, async ({ posts, side }) => {
      const made = posts.get(post);
      if (made === undefined) return null;
      await side.provider.setVisibility(made.provider as never, made.account, made.post.id, visibility);
      return {};
    });
  }),
  ...(["endGrants", "removeApp"] as const).map((name) =>
    onConnection(1, ANY, (_, { at }) =>
      step(name, at, async ({ side }) => {
        await side.provider[name](at.provider, at.account);
        return {};
      }),
    ),
  ),
  onConnection(1, ANY, (_, { at: { account, provider } }) => {
    if (provider !== "PROVIDER_C") return null;
    // The code differs between the targets.
    return step("requestDeletion", { account }, async ({ side }) => ({
      isAccepted: (await side.provider.requestDeletion(provider, account)) !== null,
    }));
  }),
);

const FAULT = fc.record({
  provider: fc.constantFrom(...SOCIAL_PROVIDERS),
  call: fc.constantFrom<ProviderCall>("exchange", "refresh", "revoke", "profile", "list"),
  fault: fc.constantFrom<ProviderFault>(
    { kind: "status", status: 500 },
    { kind: "status", status: 503 },
    { kind: "status", status: 503, retryAfterSeconds: 120 },
    { kind: "rate-limited" },
    { kind: "rate-limited", retryAfterSeconds: 600 },
    { kind: "rate-limited", retryAfterSeconds: 7_200 },
  ),
  // Beyond ten a job is given up or tried for a day, which is another number of calls on each side.
  count: fc.constantFrom(1, 1, 2, 3, 10),
  picked: rarely(50, pick),
});

export const fault: fc.Arbitrary<Plan> = fc.oneof(
  planned(2, FAULT, ({ picked, count: drawn, provider, call, fault }, { sessions }) => {
    const accounts = [...sessions.values()].filter((one) => one.provider === provider && one.account !== "");
    const account = picked === undefined ? undefined : newest(accounts, picked)?.account;
    // The scan and the profile read of a day renew one token in either order, so both of them must get the fault.
    const count = call === "refresh" && drawn < 10 ? 2 * Math.min(drawn, 2) : drawn;
    const options = { count, ...(account !== undefined && { account }) };
    return step("fault", { provider, call, fault, ...options }, async ({ lift, side }) => {
      lift.push(await side.provider.fault(provider, call, fault, options));
      return {};
    });
  }),
  planned(1, ANY, (_, leader) => {
    if (leader.lift.length === 0) return null;
    return step("clearFaults", {}, async ({ lift }) => {
      for (const end of lift.splice(0)) await end();
      return {};
    });
  }),
);
