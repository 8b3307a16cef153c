import type { ProviderCall, ProviderFault } from "../../../packages/conformance/src/index.ts";
import { SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import { anyConnection, type Model } from "./model.ts";
import type { StepAction } from "./steps.ts";

export function provider(model: Model): StepAction | null {
  const { random } = model;
  const session = anyConnection(model);
  if (session === null) return null;
  const { account, provider: at } = session;
  if (account === "") return null;
  const posts = model.posts.filter((post) => post.provider === at);
  return random.weightedEntry<StepAction>([
    [8, { do: "publish", provider: at, account, hoursAgo: random.pick([1, 5, 30, 100, 400, 2_000]) }],
    [
      posts.length > 0 ? 4 : 0,
      {
        do: "visibility",
        post: posts.length > 0 ? random.pick(posts).n : 0,
        visibility: random.pick(["public", "private", "deleted"]),
      },
    ],
    [1, { do: "endGrants", provider: at, account }],
    [1, { do: "removeApp", provider: at, account }],
    [at === "PROVIDER_C" ? 1 : 0, { do: "requestDeletion", account }],
  ]);
}

const FAULTS: readonly ProviderFault[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "status", status: 503, retryAfterSeconds: 120 },
  { kind: "rate-limited" },
  { kind: "rate-limited", retryAfterSeconds: 600 },
  { kind: "rate-limited", retryAfterSeconds: 7_200 },
];
const CALLS: readonly ProviderCall[] = ["exchange", "refresh", "revoke", "profile", "list"];

export function fault(model: Model): StepAction {
  const { random } = model;
  if (model.hasFaults && random.chance(0.5)) return { do: "clearFaults" };
  const at = random.pick(SOCIAL_PROVIDERS);
  const call = random.pick(CALLS);
  const accounts = model.sessions.filter((one) => one.provider === at && one.account !== "").map((one) => one.account);
  return {
    do: "fault",
    provider: at,
    call,
    fault: random.pick(FAULTS),
    // Beyond ten a job is given up or tried for a day, which is another number of calls on each side. The scan and the
    // profile read of a day renew one token in either order, so both of them must get the fault.
    count: random.pick(call === "refresh" ? [2, 2, 4, 10] : [1, 1, 2, 3, 10]),
    ...(accounts.length > 0 && random.chance(0.5) && { account: random.pick(accounts) }),
  };
}
