import fc from "fast-check";
import { rarely } from "../../times.ts";
import {
  type Actor,
  answered,
  type Connection,
  NOBODY,
  newest,
  type Observation,
  type OnConnection,
  type Ref,
  type Target,
} from "./actor.ts";
import { appOf, onConnection, type Plan, pick, planned, rare, SUBJECT, step } from "./step.ts";

type Called = OnConnection & { readonly app: Ref };
/** A time span in hours before (positive) or after (negative) the step. */
type Window = Record<"fromHoursAgo" | "toHoursAgo", number>;

export function spanOf({ fromHoursAgo, toHoursAgo }: Window, now: Date) {
  // Whole minutes, so that a repeated step asks for the same window.
  const at = (hours: number) => new Date(Math.floor(now.getTime() / 60_000) * 60_000 - hours * 3_600_000).toISOString();
  return { publishedAfter: at(fromHoursAgo), publishedBefore: at(toHoursAgo) };
}

const postId = (actor: Actor, post: Target) =>
  typeof post === "number" ? actor.posts.get(post)?.post.id : "no-such-post";

interface Refresh extends Called {
  readonly window?: Window | undefined;
  readonly maxItems?: number | undefined;
  readonly post?: Target;
  /** The scan whose continuation cursor is passed on. */
  readonly continues?: Target;
}

export const refresh = (wanted: Refresh) =>
  step("refresh", wanted, async (actor, { n, now }) => {
    const { continues, maxItems, post, window } = wanted;
    const named = actor.connectionOf(wanted);
    if (named === null) return null;
    const args: Record<string, unknown> = { ...named };
    if (window !== undefined) args["window"] = { ...spanOf(window, now), ...(maxItems !== undefined && { maxItems }) };
    if (post !== undefined) {
      args["providerContentId"] = postId(actor, post);
      if (args["providerContentId"] === undefined) return null;
    }
    if (continues !== undefined) {
      const cursor = typeof continues === "number" ? actor.jobs.get(continues)?.cursor : "not-a-cursor";
      if (cursor == null) return null;
      args["continuationCursor"] = cursor;
    }
    return keepJob(actor, n, wanted, "requestRefresh", args);
  });

export const job = (wanted: Called & { readonly job: Target }) =>
  step("job", wanted, async (actor) => {
    const named = actor.connectionOf(wanted);
    const id = actor.idOf(wanted.job, actor.jobs);
    return named && id !== null ? actor.call(wanted.app, "syncJob", { ...named, id }) : null;
  });

const FOREIGN_URLS = {
  foreign: "https://www.youtube.com/watch?v=AAAAAAAAAAA",
  "other-host": "https://evil.example/watch?v=AAAAAAAAAAA",
  http: "http://www.youtube.com/watch?v=AAAAAAAAAAA",
  long: `https://www.youtube.com/watch?v=AAAAAAAAAAA&x=${"y".repeat(2_048)}`,
};

async function keepJob(
  actor: Actor,
  n: Ref,
  { app, connection }: Called,
  name: "requestRefresh" | "requestContentLookup",
  args: object,
): Promise<Observation> {
  const observation = await actor.call(app, name, args);
  const made = answered<{ readonly id: string }>(observation, name);
  if (made !== null && typeof connection === "number") actor.jobs.set(n, { id: made.id, connection, cursor: null });
  return observation;
}

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

export const reads: fc.Arbitrary<Plan> = fc.oneof(
  onConnection(8, WHO, (more, { named }) =>
    step("connection", { ...named, ...more }, async (actor) => {
      const of = actor.connectionOf({ ...named, ...more });
      return of && actor.call(named.app, "connection", { scope: of.scope, id: of.connectionId });
    }),
  ),
  planned(
    4,
    fc.record({ app: pick, who: SUBJECT, first: fc.constantFrom(null, 1, 2, 100, 0, 101) }),
    ({ app: picked, who, first }, leader) => {
      const app = appOf(leader, picked);
      return step("connections", { app, who, first }, (actor) =>
        actor.call(app, "connections", { scope: actor.scope(who), first }),
      );
    },
  ),
  onConnection(
    10,
    fc.record({ window: WINDOW, first: fc.constantFrom(50, 50, 1, 3, 0, 51) }),
    ({ window, first }, { named }) =>
      step("content", { ...named, window, first }, async (actor, { now }) => {
        const of = actor.connectionOf(named);
        return of && actor.call(named.app, "content", { ...of, window: { ...spanOf(window, now), first } });
      }),
  ),
  onConnection(6, pick, (picked, { named, known }, leader) => {
    const post = postOf(leader, known, picked, true) ?? "unknown";
    return step("contentItem", { ...named, post }, async (actor) => {
      const args = { ...actor.connectionOf(named), providerContentId: postId(actor, post) };
      return args.connectionId && args.providerContentId ? actor.call(named.app, "contentItem", args) : null;
    });
  }),
  onConnection(2, fc.tuple(rare(10), WHO), ([isUnknown, { who }], { known, named: { app } }) => {
    const session = isUnknown ? "unknown" : known.n;
    return step("result", { session, app, who }, async (actor) => {
      const id = actor.idOf(session, actor.sessions);
      const scope = actor.scope(who ?? (isUnknown ? NOBODY : known.who));
      return id === null ? null : actor.call(app, "connectSessionResult", { scope, id });
    });
  }),
  planned(2, pick, (picked, leader) => {
    const app = appOf(leader, picked);
    return step("readiness", { app }, (actor) => actor.call(app, "integrationReadiness", {}));
  }),
  planned(1, pick, (picked, leader) => {
    const app = appOf(leader, picked);
    return step("status", { app }, (actor) => actor.call(app, "status", {}));
  }),
);

const NOTHING = fc.constant({});
const FOREIGN_POST = fc.constantFrom("foreign" as const, "other-host" as const, "http" as const, "long" as const);
const LIMITED = fc.record({ window: WINDOW, maxItems: rarely(60, fc.constantFrom(1, 1, 2, 3, 100, 0, 101)) });
const POST = fc.record({ picked: pick, isAny: rare(10), window: rarely(10, WINDOW) });
const CONTINUED = fc.record({ picked: pick, window: rarely(30, WINDOW) });
const LOOKED_UP = fc.record({ picked: pick, isAny: rare(10), foreign: FOREIGN_POST, isForeign: rare(20) });

export const jobs: fc.Arbitrary<Plan> = fc.oneof(
  onConnection(6, NOTHING, (_, { named }) => refresh(named)),
  onConnection(10, LIMITED, (more, { named }) => refresh({ ...named, ...more })),
  onConnection(9, POST, ({ picked, isAny, window }, { named, known }, leader) =>
    refresh({ ...named, post: postOf(leader, known, picked, isAny) ?? "unknown", window }),
  ),
  onConnection(6, CONTINUED, ({ picked, window }, { named, known }, leader) =>
    refresh({ ...named, continues: jobOf(leader, known, picked), window }),
  ),
  onConnection(10, LOOKED_UP, ({ picked, isAny, foreign, isForeign }, { named, known }, leader) => {
    const post = isForeign ? foreign : (postOf(leader, known, picked, isAny) ?? foreign);
    return step("lookup", { ...named, post }, async (actor, { n }) => {
      const of = actor.connectionOf(named);
      const url = typeof post === "number" ? actor.posts.get(post)?.post.url : FOREIGN_URLS[post];
      return of && url !== undefined ? keepJob(actor, n, named, "requestContentLookup", { ...of, url }) : null;
    });
  }),
  onConnection(6, pick, (picked, { named, known }, leader) => job({ ...named, job: jobOf(leader, known, picked) })),
);
