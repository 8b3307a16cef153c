import fc from "fast-check";
import { rarely } from "../../times.ts";
import { type Actor, type Connection, newest } from "../perform/actor.ts";
import type { Ref, Target } from "../perform/steps.ts";
import { appOf, onConnection, type Plan, pick, planned, rare, SUBJECT } from "./arbitraries.ts";

/** Common ones, the longest, an empty, a reversed, and one above the limit. */
const WINDOW = fc.constantFrom(
  { fromHoursAgo: 7 * 24, toHoursAgo: -1 },
  { fromHoursAgo: 48, toHoursAgo: 0 },
  { fromHoursAgo: 30 * 24, toHoursAgo: 24 },
  { fromHoursAgo: 90 * 24, toHoursAgo: 0 },
  { fromHoursAgo: 24, toHoursAgo: 24 },
  { fromHoursAgo: 1, toHoursAgo: 24 },
  { fromHoursAgo: 90 * 24 + 1, toHoursAgo: 0 },
);
const WHO = fc.record({ who: rarely(10, SUBJECT) });
const NOTHING = fc.constant({});
const FOREIGN_POST = fc.constantFrom("foreign" as const, "other-host" as const, "http" as const, "long" as const);

/** A post at the provider of a connection, usually of its account. */
function postOf(leader: Actor, { provider, account }: Connection, picked: number, isAny?: boolean): Ref | undefined {
  const posts = [...leader.posts].filter(([, at]) => at.provider === provider && (isAny || at.account === account));
  return newest(posts, picked)?.[0];
}

const jobOf = (leader: Actor, { n }: Connection, picked: number): Target =>
  newest(
    [...leader.jobs].filter(([key, { connection }]) => connection === n && Number.isInteger(key)),
    picked,
  )?.[0] ?? "unknown";

export const read: fc.Arbitrary<Plan> = fc.oneof(
  onConnection(8, WHO, (more, { named }) => ({ do: "connection", ...named, ...more })),
  planned(
    4,
    fc.record({ app: pick, who: SUBJECT, first: fc.constantFrom(null, 1, 2, 100, 0, 101) }),
    ({ app, ...more }, leader) => ({ do: "connections", app: appOf(leader, app), ...more }),
  ),
  onConnection(10, fc.record({ window: WINDOW, first: fc.constantFrom(50, 50, 1, 3, 0, 51) }), (more, { named }) => {
    return { do: "content", ...named, ...more };
  }),
  onConnection(6, pick, (picked, { named, known }, leader) => {
    return { do: "contentItem", ...named, post: postOf(leader, known, picked, true) ?? "unknown" };
  }),
  onConnection(2, fc.tuple(rare(10), WHO), ([isUnknown, who], { known, named: { app } }) => {
    return { do: "result", session: isUnknown ? "unknown" : known.n, app, ...who };
  }),
  planned(2, pick, (picked, leader) => ({ do: "readiness", app: appOf(leader, picked) })),
  planned(1, pick, (picked, leader) => ({ do: "status", app: appOf(leader, picked) })),
);

const LIMITED = fc.record({ window: WINDOW, maxItems: rarely(60, fc.constantFrom(1, 1, 2, 3, 100, 0, 101)) });
const POST = fc.record({ picked: pick, isAny: rare(10), window: rarely(10, WINDOW) });
const CONTINUED = fc.record({ picked: pick, window: rarely(30, WINDOW) });
const LOOKED_UP = fc.record({ picked: pick, isAny: rare(10), foreign: FOREIGN_POST, isForeign: rare(20) });

export const job: fc.Arbitrary<Plan> = fc.oneof(
  onConnection(6, NOTHING, (_, { named }) => ({ do: "refresh", ...named })),
  onConnection(10, LIMITED, (more, { named }) => ({ do: "refresh", ...named, ...more })),
  onConnection(9, POST, ({ picked, isAny, window }, { named, known }, leader) => {
    return { do: "refresh", ...named, post: postOf(leader, known, picked, isAny) ?? "unknown", window };
  }),
  onConnection(6, CONTINUED, ({ picked, window }, { named, known }, leader) => {
    return { do: "refresh", ...named, continues: jobOf(leader, known, picked), window };
  }),
  onConnection(10, LOOKED_UP, ({ picked, isAny, foreign, isForeign }, { named, known }, leader) => {
    const post = isForeign ? foreign : (postOf(leader, known, picked, isAny) ?? foreign);
    return { do: "lookup", ...named, post };
  }),
  onConnection(6, pick, (picked, { named, known }, leader) => {
    return { do: "job", ...named, job: jobOf(leader, known, picked) };
  }),
);
