import { createHash } from "node:crypto";
import fc from "fast-check";
import { times } from "../../times.ts";
import type { Actor } from "./actor.ts";
import { adminCalls, createApplication } from "./admin.ts";
import { begin, identity, leave, proceed } from "./connect.ts";
import { fault, provider } from "./providers.ts";
import { readAll } from "./readAll.ts";
import { jobs, reads } from "./reads.ts";
import { type Plan, planned, step } from "./step.ts";

/** The focus of a sequence, so that combinations occur which random choice would rarely produce. */
const THEMES = ["connect", "reads", "siblings", "admin", "identity", "mixed"] as const;
type Theme = (typeof THEMES)[number];

const MIXED = {
  ...{ connect: 14, proceed: 40, read: 14, job: 10, leave: 4 },
  ...{ provider: 8, fault: 4, time: 8, identity: 4, admin: 8 },
};
/** Weights of the kinds of steps, by theme; what is not named has the weight of `mixed`. */
const WEIGHTS: Readonly<Record<Theme, Partial<typeof MIXED>>> = {
  mixed: {},
  connect: { connect: 20, proceed: 60, job: 3, time: 10, identity: 0, admin: 4 },
  reads: { read: 24, job: 26, provider: 18, fault: 8, time: 12, admin: 2, identity: 0 },
  siblings: { connect: 14, proceed: 60, leave: 14, provider: 8, fault: 6, time: 12, admin: 1, identity: 0 },
  admin: { admin: 60, connect: 6, proceed: 20, job: 2, time: 4 },
  identity: { identity: 60, connect: 3, proceed: 8, admin: 8, job: 1, time: 8 },
};

const NOTHING = fc.constant(null);
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const HOURS = [0.05, 0.2, 1, 6, 23, 25, 3 * DAY_HOURS, 7 * DAY_HOURS + 1, 8 * DAY_HOURS, 31 * DAY_HOURS];

/** A long time costs the server much work, so a sequence has only so much of it. */
function time(budgetHours: number): fc.Arbitrary<Plan> {
  const jump = fc.constantFrom(...HOURS.filter((hours) => hours <= budgetHours));
  const deadline = fc.record({
    picked: fc.nat({ max: 2 }),
    deadline: fc.constantFrom(...Array<"expiresAt">(4).fill("expiresAt"), "resultExpiresAt" as const),
    offsetMs: fc.constantFrom(-20_000, 20_000),
  });
  return fc.oneof(
    planned(7, jump, (hours, leader) => {
      const ms = Math.round(hours * HOUR_MS);
      if (leader.passedMs + ms > budgetHours * HOUR_MS) return null;
      const pass = async (actor: Actor) => {
        actor.passedMs += ms;
        return {};
      };
      return step("advance", { ms }, pass, { movesMs: () => ms });
    }),
    planned(3, deadline, ({ picked, deadline, offsetMs }, { sessions }) => {
      const [session, made] = [...sessions].at(-1 - picked) ?? [];
      if (made === undefined) return null;
      return step("advanceTo", { session, deadline, offsetMs }, async () => ({}), {
        movesMs: (_, now) => Date.parse(made[deadline]) + offsetMs - now.getTime(),
      });
    }),
  );
}

/** The kinds of steps of a sequence, whose theme and time follow from the seed. */
function plans(seed: number): fc.Arbitrary<Plan> {
  const budget = fc.constantFrom(...Array<number>(6).fill(3), ...Array<number>(3).fill(9), 32);
  const [[theme, days]] = fc.sample(fc.tuple(fc.constantFrom(...THEMES), budget), { seed, numRuns: 1 }) as [
    [Theme, number],
  ];
  const weights = { ...MIXED, ...WEIGHTS[theme] };
  const options = { hasSiblings: theme === "siblings" };
  const all = Object.values(weights).reduce((sum, weight) => sum + weight);
  return fc.oneof(
    times(weights.connect, begin(options)),
    times(weights.proceed, proceed(options)),
    times(weights.read, reads),
    times(weights.job, jobs),
    times(weights.leave, leave),
    times(weights.provider, provider),
    times(weights.fault, fault),
    times(weights.time, time(days * DAY_HOURS)),
    times(weights.identity, identity),
    times(weights.admin, adminCalls),
    planned(1, NOTHING, (_, { apps, sessions }) => (apps.size + sessions.size < 4 ? createApplication : null)),
    planned(Math.round(all / 3), NOTHING, () => readAll),
  );
}

/** What fast-check needs to draw, repeat and shrink a sequence, by its name. */
export function drawnFrom(name: string) {
  const seed = createHash("sha256").update(name).digest().readInt32LE();
  return { seed, plans: plans(seed) };
}
