import fc from "fast-check";
import type { ProviderCall, ProviderFault } from "../../../packages/conformance/src/index.ts";
import { SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import { rarely } from "../../times.ts";
import { newest } from "../perform/actor.ts";
import { onConnection, type Plan, pick, planned } from "./arbitraries.ts";

const ANY = fc.constant(null);

const HOURS_AGO = fc.constantFrom(1, 5, 30, 100, 400, 2_000);
const VISIBILITY = fc.constantFrom("public" as const, "private" as const, "deleted" as const);

/** What users do at the provider of a connection. */
export const provider: fc.Arbitrary<Plan> = fc.oneof(
  onConnection(8, HOURS_AGO, (hoursAgo, { known: { provider, account } }) => {
    return { do: "publish", provider, account, hoursAgo };
  }),
  onConnection(4, fc.tuple(pick, VISIBILITY), ([picked, visibility], { known: { provider } }, leader) => {
    const posts = [...leader.posts].filter(([, at]) => at.provider === provider);
    const [post] = newest(posts, picked) ?? [];
    return post === undefined ? null : { do: "visibility", post, visibility };
  }),
  onConnection(1, ANY, (_, { known: { provider, account } }) => ({ do: "endGrants", provider, account })),
  onConnection(1, ANY, (_, { known: { provider, account } }) => ({ do: "removeApp", provider, account })),
  onConnection(1, ANY, (_, { known: { provider, account } }) => {
    return provider === "PROVIDER_C" ? { do: "requestDeletion", account } : null;
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
  planned(2, FAULT, ({ picked, count, ...drawn }, { sessions }) => {
    const accounts = [...sessions.values()].filter((one) => one.provider === drawn.provider && one.account !== "");
    const account = picked === undefined ? undefined : newest(accounts, picked)?.account;
    // The scan and the profile read of a day renew one token in either order, so both of them must get the fault.
    const isTwice = drawn.call === "refresh" && count < 10;
    return { do: "fault", ...drawn, count: isTwice ? 2 * Math.min(count, 2) : count, account };
  }),
  planned(1, ANY, (_, { lift }) => (lift.length > 0 ? { do: "clearFaults" } : null)),
);
