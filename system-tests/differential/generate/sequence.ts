import { generateAdmin } from "./admin.ts";
import { createSession, leave, proceed } from "./connect.ts";
import { identity } from "./identity.ts";
import { HOUR_MS, type Model, note, THEMES, type Theme } from "./model.ts";
import { fault, provider } from "./providers.ts";
import { sequenceRandom } from "./random.ts";
import { job, read } from "./reads.ts";
import type { Step, StepAction } from "./steps.ts";

const DAY_HOURS = 24;

/** The steps that follow from a seed. The first ones make the application that the others call with. */
export function generateSequence(seed: string, length: number): Step[] {
  const random = sequenceRandom(seed);
  const model: Model = {
    random,
    theme: random.pick(THEMES),
    apps: [],
    sessions: [],
    identities: [],
    posts: [],
    jobs: [],
    adminKeys: [],
    applicationKeys: [],
    members: [],
    hasFaults: false,
    hoursLeft: random.weightedEntry([
      [6, 3 * DAY_HOURS],
      [3, 9 * DAY_HOURS],
      [1, 32 * DAY_HOURS],
    ]),
  };
  const steps: Step[] = [];
  const add = (action: StepAction) => {
    const step = { n: steps.length + 1, ...action } as Step;
    steps.push(step);
    note(model, step);
  };
  add({ do: "createApplication" });
  if (random.chance(0.25)) add({ do: "createApplication" });
  while (steps.length < length) {
    add(nextAction(model));
    if (random.chance(0.35)) add({ do: "readAll" });
  }
  add({ do: "readAll" });
  return steps;
}

const KINDS = {
  connect: createSession,
  proceed,
  read,
  job,
  leave,
  provider,
  fault,
  time,
  identity,
  admin: generateAdmin,
} satisfies Readonly<Record<string, (model: Model) => StepAction | null>>;
type Weights = Readonly<Record<keyof typeof KINDS, number>>;

const MIXED: Weights = {
  ...{ connect: 14, proceed: 40, read: 14, job: 10, leave: 4 },
  ...{ provider: 8, fault: 4, time: 8, identity: 4, admin: 8 },
};
/** Weights of the kinds of steps, by theme; what is not named has the weight of `mixed`. */
const WEIGHTS: Readonly<Record<Theme, Partial<Weights>>> = {
  mixed: {},
  connect: { connect: 20, proceed: 60, job: 3, time: 10, identity: 0, admin: 4 },
  reads: { read: 24, job: 26, provider: 18, fault: 8, time: 12, admin: 2, identity: 0 },
  siblings: { connect: 14, proceed: 60, leave: 14, provider: 8, fault: 6, time: 12, admin: 1, identity: 0 },
  admin: { admin: 60, connect: 6, proceed: 20, job: 2, time: 4 },
  identity: { identity: 60, connect: 3, proceed: 8, admin: 8, job: 1, time: 8 },
};

function nextAction(model: Model): StepAction {
  const weights = { ...MIXED, ...WEIGHTS[model.theme] };
  for (;;) {
    const action = KINDS[model.random.weighted(weights)](model);
    if (action !== null) return action;
  }
}

const HOURS = [0.05, 0.2, 1, 6, 23, 25, 3 * 24, 7 * 24 + 1, 8 * 24, 31 * 24] as const;

function time(model: Model): StepAction | null {
  const { random } = model;
  const session = model.sessions.at(-random.int(1, 3));
  if (session !== undefined && random.chance(0.3)) {
    return {
      do: "advanceTo",
      session: session.n,
      deadline: random.chance(0.8) ? "expiresAt" : "resultExpiresAt",
      offsetMs: random.pick([-20_000, 20_000]),
    };
  }
  const affordable = HOURS.filter((hours) => hours <= model.hoursLeft);
  return affordable.length === 0 ? null : { do: "advance", ms: Math.round(random.pick(affordable) * HOUR_MS) };
}
