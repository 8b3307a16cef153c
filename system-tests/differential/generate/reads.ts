import { anyConnection, appOf, type Model, SUBJECTS } from "./model.ts";
import type { StepAction } from "./steps.ts";

export function read(model: Model): StepAction | null {
  const { random } = model;
  const session = anyConnection(model);
  if (session === null)
    return random.chance(0.2) ? { do: random.pick(["status", "readiness"]), app: random.pick(model.apps) } : null;
  const app = appOf(model, session);
  const connection = random.chance(0.97) ? session.n : random.pick(["unknown", "malformed"] as const);
  const posts = model.posts.filter((post) => post.provider === session.provider);
  return random.weightedEntry<StepAction>([
    [4, { do: "connection", connection, app, ...(random.chance(0.1) && { who: random.pick(SUBJECTS) }) }],
    [2, { do: "connections", app, who: random.pick(SUBJECTS), first: random.pick([null, 1, 2, 100, 0, 101]) }],
    [5, { do: "content", connection, app, window: random.pick(WINDOWS), first: random.pick([50, 50, 1, 3, 0, 51]) }],
    [3, { do: "contentItem", connection, app, post: posts.length > 0 ? random.pick(posts).n : "unknown" }],
    [
      1,
      {
        do: "result",
        session: random.chance(0.9) ? session.n : "unknown",
        app,
        ...(random.chance(0.1) && { who: random.pick(SUBJECTS) }),
      },
    ],
    [1, { do: "readiness", app }],
    [0.5, { do: "status", app }],
  ]);
}

/** Common ones, the longest, an empty, a reversed, and one above the limit. */
const WINDOWS = [
  { fromHoursAgo: 7 * 24, toHoursAgo: -1 },
  { fromHoursAgo: 48, toHoursAgo: 0 },
  { fromHoursAgo: 30 * 24, toHoursAgo: 24 },
  { fromHoursAgo: 90 * 24, toHoursAgo: 0 },
  { fromHoursAgo: 24, toHoursAgo: 24 },
  { fromHoursAgo: 1, toHoursAgo: 24 },
  { fromHoursAgo: 90 * 24 + 1, toHoursAgo: 0 },
] as const;

export function job(model: Model): StepAction | null {
  const { random } = model;
  const session = anyConnection(model);
  if (session === null) return null;
  const app = appOf(model, session);
  const connection = random.chance(0.97) ? session.n : random.pick(["unknown", "malformed"] as const);
  const posts = model.posts.filter(
    (post) => post.provider === session.provider && (post.account === session.account || random.chance(0.1)),
  );
  const post = posts.length > 0 ? random.pick(posts).n : ("unknown" as const);
  const scans = model.jobs.filter((one) => one.session === session);
  const continues = scans.length > 0 ? random.pick(scans).n : ("unknown" as const);
  const window = random.pick(WINDOWS);
  return random.weightedEntry<StepAction>([
    [3, { do: "refresh", connection, app }],
    [
      5,
      {
        do: "refresh",
        connection,
        app,
        window,
        ...(random.chance(0.6) && { maxItems: random.pick([1, 1, 2, 3, 100, 0, 101]) }),
      },
    ],
    [4, { do: "refresh", connection, app, post }],
    [0.5, { do: "refresh", connection, app, post, window }],
    [3, { do: "refresh", connection, app, continues, ...(random.chance(0.3) && { window }) }],
    [
      4,
      {
        do: "lookup",
        connection,
        app,
        post: typeof post === "number" ? post : random.pick(["foreign", "other-host", "http", "long"] as const),
      },
    ],
    [1, { do: "lookup", connection, app, post: random.pick(["foreign", "other-host", "http", "long"] as const) }],
    [3, { do: "job", connection, app, job: scans.length > 0 ? random.pick(scans).n : "unknown" }],
  ]);
}
