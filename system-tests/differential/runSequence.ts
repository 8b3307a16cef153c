import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { type Difference, startComparison } from "./compare.ts";
import { type Actor, makeActor, type Observation } from "./steps/actor.ts";
import { createApplication } from "./steps/admin.ts";
import { drawnFrom } from "./steps/all.ts";
import { newEvents } from "./steps/events.ts";
import { readAll } from "./steps/readAll.ts";
import type { Follower, Leader } from "./steps/side.ts";
import type { Plan, Step } from "./steps/step.ts";

export interface Pair {
  readonly leader: Leader;
  /** A separate follower per sequence, at the leader's time. */
  openFollower(now: Date): Promise<Follower>;
}

/** A step by its number. */
export type Made = Step & { readonly n: number };

/** A step whose answers differ, with the steps that lead to it. */
export class StepDifference extends Error {
  readonly steps: readonly Made[];
  readonly differences: readonly Difference[];
  readonly leader: Observation;
  readonly follower: Observation;

  constructor(steps: readonly Made[], differences: readonly Difference[], [leader, follower]: readonly Observation[]) {
    super("The server and the mocks differ.");
    this.steps = [...steps];
    this.differences = differences;
    this.leader = leader;
    this.follower = follower;
  }

  get step(): Made | undefined {
    return this.steps.at(-1);
  }

  /** The same kind of step, and the same place of the response. */
  isSameAs(other: StepDifference): boolean {
    const placeOf = ({ differences: [first] }: StepDifference) => first?.path.replaceAll(/\d+/g, "#");
    return this.step?.do === other.step?.do && placeOf(this) === placeOf(other);
  }
}

/** Due work starts slightly later: times are rounded to milliseconds. */
const PAST_MS = 5;
/** For the follower's work, which takes simulated time. */
const TOLERANCE_MS = 5_000;
/** A limit on the work after a jump, to detect work that re-creates itself. */
const MOST_JUMPS = 2_000;

export type Sequence = Awaited<ReturnType<typeof beginSequence>>;

/** Makes steps on both sides, and compares the answers. */
export async function beginSequence({ leader: leading, openFollower }: Pair) {
  await leading.begin();
  const beganAt = await leading.now();
  const follower = await openFollower(beganAt);
  const beganMs = performance.now();
  const leader = makeActor(leading, beganAt);
  const actors = [leader, makeActor(follower, beganAt)];
  const comparison = startComparison([leading.addresses, follower.addresses], beganAt);
  const steps: Made[] = [];
  /** Steps that had nothing to do: what they refer to was never made. */
  let skipped = 0;

  /** If one side fails, the harness is at fault, or that side is broken, but no answer differs. */
  const onBoth = <Result>(act: (actor: Actor) => Promise<Result>): Promise<Result[]> =>
    Promise.all(
      actors.map((actor) =>
        act(actor).catch((cause: unknown) => {
          const { n, do: kind } = steps.at(-1) ?? { n: 0, do: "the beginning" };
          throw new Error(`step ${n} (${kind}) failed on the ${actor.side.name}: ${cause}`, { cause });
        }),
      ),
    );

  /**
   * The leader's work takes real time, so it is late by at most the real time since the sequence began: a late read plans
   * the next one late too. The tolerance follows what the machine took, so a busy one causes no difference.
   */
  const toleranceMs = () => TOLERANCE_MS + performance.now() - beganMs;

  /** Moves the follower to the leader's time. */
  const together = async (): Promise<Date> => {
    const now = await leading.now();
    await follower.goTo(now);
    const ahead = (await follower.now()).getTime() - now.getTime();
    if (ahead > 0) await delay(ahead);
    return now;
  };

  /**
   * Until nothing is due on either side, and nothing falls due within the tolerance: one side may have done then what the
   * other, a little later, still has to do.
   */
  const settle = async (): Promise<void> => {
    for (let jumps = 0; jumps < MOST_JUMPS; jumps += 1) {
      const leaderMs = await leading.quiesce();
      const now = await leading.now();
      await follower.goTo(now);
      const retryAt = await follower.finishWork();
      const nextMs = Math.min(leaderMs ?? Infinity, retryAt ? retryAt.getTime() - now.getTime() : Infinity);
      if (nextMs > toleranceMs()) break;
      await leading.advance(Math.max(0, Math.ceil(nextMs)) + PAST_MS);
    }
  };

  /** Moves from one due time to the next, so that each piece of work runs at its own time on the leader too. */
  const advance = async (ms: number): Promise<void> => {
    const endMs = (await leading.now()).getTime() + ms;
    for (let jumps = 0; jumps < MOST_JUMPS; jumps += 1) {
      const nextMs = await leading.quiesce();
      const leftMs = endMs - (await leading.now()).getTime();
      if (leftMs <= 0) break;
      await leading.advance(nextMs === null ? leftMs : Math.min(leftMs, Math.ceil(nextMs) + PAST_MS));
    }
    await settle();
  };

  /** Throws a `StepDifference` if the answers differ, and another error if a side fails. */
  const make = async (step: Step): Promise<void> => {
    const n = steps.push({ ...step, n: steps.length + 1 });
    const ms = step.movesMs?.(leader, await leading.now()) ?? 0;
    if (ms > 0) await advance(ms);
    const now = await together();
    const atOnce = await onBoth((actor) => step.perform(actor, { n, now }));
    await settle();
    const afterwards = await onBoth(async (actor) => step.performAfter?.(actor) ?? null);
    const events = await onBoth(newEvents);
    if (atOnce[0] === null) skipped += 1;
    const observed = atOnce.map((answer, side) => {
      return { atOnce: answer, afterwards: afterwards[side], events: events[side] };
    });
    const differences = comparison.compare(observed[0], observed[1], toleranceMs());
    if (differences.length > 0) throw new StepDifference(steps, differences, observed);
  };

  await onBoth((actor) => actor.begin());
  return { steps, leader, make, skipped: () => skipped };
}

/** A step of a sequence as a command of fast-check: until the sequence has its length, and if there is something to do. */
function commandOf(plan: Plan, length: number): fc.AsyncCommand<Sequence, Sequence> {
  let step: Step | null = null;
  return {
    check: ({ leader, steps }) => {
      step = steps.length < length - 1 ? plan(leader) : null;
      return step !== null;
    },
    run: async (_, sequence) => {
      if (step !== null) await sequence.make(step);
    },
    toString: () => JSON.stringify(step),
  };
}

/** Commands that are drawn for a step: many have nothing to do yet, and the number of all is random. */
const DRAWN_FOR_A_STEP = 60;

/** Runs the sequence of a name. A difference is shrunk for so long, and has as few steps as were found in time. */
export async function runSequence(pair: Pair, name: string, length: number, shrinkMs: number) {
  const { plans, seed } = drawnFrom(name);
  const command = plans.map((plan) => commandOf(plan, length));
  const sequences = fc.commands([command], {
    maxCommands: DRAWN_FOR_A_STEP * length,
    size: "max",
    disableReplayLog: true,
  });
  const found: { first?: Sequence; difference?: StepDifference; failure?: unknown } = {};
  let endMs = Number.POSITIVE_INFINITY;
  const makes = async (commands: Iterable<fc.AsyncCommand<Sequence, Sequence>>): Promise<boolean> => {
    if (performance.now() > endMs) return true;
    try {
      const sequence = await beginSequence(pair);
      found.first ??= sequence;
      await sequence.make(createApplication);
      await fc.asyncModelRun(() => ({ model: sequence, real: sequence }), commands);
      await sequence.make(readAll);
      return true;
    } catch (error) {
      const { difference } = found;
      if (error instanceof StepDifference && (difference === undefined || error.isSameAs(difference))) {
        endMs = Math.min(endMs, performance.now() + shrinkMs);
        found.difference = error;
        return false;
      }
      // A shorter sequence with a step that fails is of no use; the first one is an error.
      if (difference === undefined) found.failure = error;
      return true;
    }
  };
  await fc.check(fc.asyncProperty(sequences, makes), { seed, numRuns: 1, endOnFailure: shrinkMs === 0 });
  if (found.failure !== undefined) throw found.failure;
  const { first, difference = null } = found;
  return { steps: first?.steps ?? [], skipped: first?.skipped() ?? 0, difference };
}

const MOST_DIFFERENCES = 12;
const MOST_CHARACTERS = 1_200;

/** A difference for people: how to see it again, the steps that lead to it, and the answers. */
export function differenceText(name: string, length: number, difference: StepDifference): string {
  const { differences, follower, leader, step, steps } = difference;
  return [
    `The server and the mocks differ. Seed ${name}; again: pnpm test:system differential --seed ${name} --steps ${length}`,
    "",
    "Steps:",
    ...steps.map(({ n, do: kind, args }) => `  ${String(n).padStart(3)} ${kind} ${JSON.stringify(args)}`),
    "",
    `Different at step ${step?.n}:`,
    ...differences
      .slice(0, MOST_DIFFERENCES)
      .flatMap(({ path, ...values }) => [
        `  ${path}`,
        `    server: ${shortened(values.leader)}`,
        `    mocks:  ${shortened(values.follower)}`,
      ]),
    "",
    `Server's answer: ${shortened(leader)}`,
    `Mocks' answer:   ${shortened(follower)}`,
  ].join("\n");
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
