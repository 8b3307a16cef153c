import fc from "fast-check";
import { rarely, type Weighted } from "../../times.ts";
import { type Actor, newest, type Observation, type Ref, type Subject, type Target } from "./actor.ts";

/** Where a step is made: its number in the sequence, and the same time on both sides. */
interface Place {
  readonly n: Ref;
  readonly now: Date;
}

interface More {
  /** How far time is moved before it. */
  readonly movesMs?: (leader: Actor, now: Date) => number;
  /** What can be seen once the work that it started has finished. */
  readonly performAfter?: (actor: Actor) => Promise<Observation>;
}

/** What both sides do at a place of a sequence; a report shows its arguments. */
export interface Step extends More {
  readonly do: string;
  readonly args: object;
  readonly perform: (actor: Actor, place: Place) => Promise<Observation>;
}

export const step = (name: string, args: object, perform: Step["perform"], more: More = {}): Step => ({
  do: name,
  args,
  perform,
  ...more,
});

/** A step as far as it is drawn before the sequence runs. What it refers to is known then; null: there is nothing to do. */
export type Plan = (leader: Actor) => Step | null;

/** A step by what is drawn for it. */
export const planned = <Drawn>(
  weight: number,
  drawn: fc.Arbitrary<Drawn>,
  plan: (drawn: Drawn, leader: Actor) => Step | null,
): Weighted<Plan> => ({ weight, arbitrary: drawn.map((made) => (leader) => plan(made, leader)) });

export const rare = (percent: number) => rarely(percent, fc.constant(true));

/** A non-empty selection in the order of the list. */
export const someOf = <Value>(list: readonly Value[]) => fc.subarray([...list], { minLength: 1 });

/** Which of those that a sequence has made, counted from the newest: a step that is removed before them changes nothing. */
export const pick = fc.nat({ max: 1_000 });

export const appOf = (leader: Actor, picked: number) =>
  newest(
    [...leader.apps.values()].filter(({ key }) => key !== ""),
    picked,
  )?.n ?? 0;

export const SUBJECT = fc.constantFrom<Subject>(
  { tenant: "one", subject: "ann" },
  { tenant: "one", subject: "bob" },
  { tenant: "two", subject: "ann" },
);

const RECENT = 5;
/** Usually an existing connection, rarely one that was disconnected, and rarely under another id or for another application. */
const CONNECTION = fc.record({
  picked: fc.nat({ max: RECENT - 1 }),
  isAny: rare(8),
  other: rarely(3, fc.constantFrom<Target>("unknown", "malformed")),
  otherApp: rarely(3, pick),
});

type Wanted = typeof CONNECTION extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function connectionFor(leader: Actor, { picked, isAny, other, otherApp }: Wanted) {
  const all = [...leader.connections.values()];
  const connected = all.filter(({ isDisconnected }) => !isDisconnected);
  const known = newest((isAny || connected.length === 0 ? all : connected).slice(-RECENT), picked);
  if (known === undefined) return null;
  const { account, provider } = known;
  const app = otherApp === undefined ? known.app : appOf(leader, otherApp);
  return { known, at: { provider, account }, named: { connection: other ?? known.n, app } };
}

/** A step on a connection. */
export const onConnection = <Drawn>(
  weight: number,
  drawn: fc.Arbitrary<Drawn>,
  plan: (drawn: Drawn, found: NonNullable<ReturnType<typeof connectionFor>>, leader: Actor) => Step | null,
): Weighted<Plan> =>
  planned(weight, fc.tuple(CONNECTION, drawn), ([connection, more], leader) => {
    const found = connectionFor(leader, connection);
    return found && plan(more, found, leader);
  });
