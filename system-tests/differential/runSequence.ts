import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { Comparison, type Difference } from "./compare.ts";
import type { Plan } from "./generate/arbitraries.ts";
import { drawnFrom } from "./generate/sequence.ts";
import { Actor } from "./perform/actor.ts";
import type { Observation } from "./perform/calls.ts";
import { perform, performAfter } from "./perform/perform.ts";
import type { Follower, Leader } from "./perform/side.ts";
import type { Step, StepAction } from "./perform/steps.ts";

export interface Pair {
  readonly leader: Leader;
  /** A separate follower per sequence, at the leader's time. */
  openFollower(now: Date): Promise<Follower>;
}

/** A step whose answers differ, with the steps that lead to it. */
export class StepDifference extends Error {
  readonly steps: readonly Step[];
  readonly differences: readonly Difference[];
  readonly leader: Observation;
  readonly follower: Observation;

  constructor(steps: readonly Step[], differences: readonly Difference[], [leader, follower]: readonly Observation[]) {
    super("The server and the mocks differ.");
    this.steps = [...steps];
    this.differences = differences;
    this.leader = leader;
    this.follower = follower;
  }

  get step(): Step | undefined {
    return this.steps.at(-1);
  }

  /** The same kind of step, and the same place of the response. */
  isSameAs(other: StepDifference): boolean {
    const placeOf = ({ differences: [first] }: StepDifference) => first?.path.replaceAll(/\d+/g, "#");
    return this.step?.do === other.step?.do && placeOf(this) === placeOf(other);
  }
}

/** A step that could not be made on one side: the harness is at fault, or that side is broken, but no answer differs. */
export class StepError extends Error {
  constructor(side: string, step: Step | undefined, cause: unknown) {
    const what = step === undefined ? "the beginning" : `step ${step.n} (${step.do})`;
    super(`${what} failed on the ${side}: ${String(cause)}`, { cause });
    this.name = "StepError";
  }
}

/** Due work starts slightly later: times are rounded to milliseconds. */
const PAST_MS = 5;
/** For the follower's work, which takes simulated time. */
const TOLERANCE_MS = 5_000;
/** A limit on the work after a jump, to detect work that re-creates itself. */
const MOST_JUMPS = 2_000;

/** Makes steps on both sides, and compares the answers. */
export class Sequence {
  readonly steps: Step[] = [];
  /** Steps that had nothing to do: what they refer to was never made. */
  skipped = 0;
  readonly leader: Actor;
  readonly #actors: readonly [Actor, Actor];
  readonly #drive: Drive;
  readonly #comparison: Comparison;

  private constructor(leader: Leader, follower: Follower, beganAt: Date) {
    this.leader = new Actor(leader, beganAt);
    this.#actors = [this.leader, new Actor(follower, beganAt)];
    this.#drive = new Drive(leader, follower);
    this.#comparison = new Comparison({ beganAt, addresses: [leader.addresses, follower.addresses] });
  }

  static async begin({ leader, openFollower }: Pair): Promise<Sequence> {
    await leader.begin();
    const beganAt = await leader.now();
    const sequence = new Sequence(leader, await openFollower(beganAt), beganAt);
    await sequence.#onBoth((actor) => actor.begin());
    return sequence;
  }

  /** Throws a `StepDifference` if the answers differ, and a `StepError` if a side fails. */
  async make(action: StepAction): Promise<void> {
    const step = { n: this.steps.length + 1, ...action } as Step;
    this.steps.push(step);
    if (step.do === "advance") await this.#drive.advance(step.ms);
    else if (step.do === "advanceTo") await this.#advanceTo(step);
    const now = await this.#drive.together();
    const atOnce = await this.#onBoth((actor) => perform(actor, step, now));
    await this.#drive.settle();
    const afterwards = await this.#onBoth((actor) => performAfter(actor, step));
    if (atOnce[0] === null) this.skipped += 1;
    const observed = atOnce.map((answer, side) => ({ atOnce: answer, afterwards: afterwards[side] }));
    const differences = this.#comparison.compare(observed[0], observed[1], this.#drive.toleranceMs());
    if (differences.length > 0) throw new StepDifference(this.steps, differences, observed);
  }

  #onBoth<Result>(act: (actor: Actor) => Promise<Result>): Promise<Result[]> {
    return Promise.all(
      this.#actors.map((actor) =>
        act(actor).catch((error: unknown) => {
          throw new StepError(actor.side.name, this.steps.at(-1), error);
        }),
      ),
    );
  }

  async #advanceTo({ deadline, offsetMs, session: n }: Extract<Step, { do: "advanceTo" }>): Promise<void> {
    const session = this.leader.sessions.get(n);
    if (session === undefined) return;
    const ms = Date.parse(session[deadline]) + offsetMs - (await this.leader.side.now()).getTime();
    if (ms > 0) await this.#drive.advance(ms);
  }
}

/** A step of a sequence as a command of fast-check: until the sequence has its length, and if there is something to do. */
class PlannedStep implements fc.AsyncCommand<Sequence, Sequence> {
  readonly #plan: Plan;
  readonly #length: number;
  #action: StepAction | null = null;

  constructor(plan: Plan, length: number) {
    this.#plan = plan;
    this.#length = length;
  }

  check({ leader, steps }: Sequence): boolean {
    this.#action = steps.length < this.#length - 1 ? this.#plan(leader) : null;
    return this.#action !== null;
  }

  async run(_: Sequence, sequence: Sequence): Promise<void> {
    if (this.#action !== null) await sequence.make(this.#action);
  }

  toString(): string {
    return JSON.stringify(this.#action);
  }
}

/** Commands that are drawn for a step: many have nothing to do yet, and the number of all is random. */
const DRAWN_FOR_A_STEP = 60;

export interface Outcome {
  /** Steps of the sequence as it was drawn. */
  readonly steps: readonly Step[];
  readonly skipped: number;
  /** With as few steps as were found in time. */
  readonly difference: StepDifference | null;
}

/** Runs the sequence of a name. A difference is shrunk for so long. */
export async function runSequence(pair: Pair, name: string, length: number, shrinkMs: number): Promise<Outcome> {
  const { plans, seed } = drawnFrom(name);
  const step = plans.map((plan) => new PlannedStep(plan, length));
  const sequences = fc.commands([step], {
    maxCommands: DRAWN_FOR_A_STEP * length,
    size: "max",
    disableReplayLog: true,
  });
  const found: { first?: Sequence; difference?: StepDifference; failure?: unknown } = {};
  let endMs = Number.POSITIVE_INFINITY;
  const makes = async (commands: Iterable<fc.AsyncCommand<Sequence, Sequence>>): Promise<boolean> => {
    if (performance.now() > endMs) return true;
    try {
      const sequence = await Sequence.begin(pair);
      found.first ??= sequence;
      await sequence.make({ do: "createApplication" });
      await fc.asyncModelRun(() => ({ model: sequence, real: sequence }), commands);
      await sequence.make({ do: "readAll" });
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
  return { steps: first?.steps ?? [], skipped: first?.skipped ?? 0, difference };
}

/** Moves time on both sides, and waits for all work before the comparison. */
class Drive {
  readonly #leader: Leader;
  readonly #follower: Follower;
  readonly #beganMs = performance.now();

  constructor(leader: Leader, follower: Follower) {
    this.#leader = leader;
    this.#follower = follower;
  }

  /**
   * The leader's work takes real time, so it is late by at most the real time since the sequence began: a late read plans
   * the next one late too. The tolerance follows what the machine took, so a busy one causes no difference.
   */
  toleranceMs(): number {
    return TOLERANCE_MS + performance.now() - this.#beganMs;
  }

  /** Moves the follower to the leader's time. */
  async together(): Promise<Date> {
    const now = await this.#leader.now();
    await this.#follower.goTo(now);
    const ahead = (await this.#follower.now()).getTime() - now.getTime();
    if (ahead > 0) await delay(ahead);
    return now;
  }

  /**
   * Until nothing is due on either side, and nothing falls due within the tolerance: one side may have done then what the
   * other, a little later, still has to do.
   */
  async settle(): Promise<void> {
    for (let jumps = 0; jumps < MOST_JUMPS; jumps += 1) {
      const leaderMs = await this.#leader.quiesce();
      const now = await this.#leader.now();
      await this.#follower.goTo(now);
      const retryAt = await this.#follower.finishWork();
      const nextMs = Math.min(leaderMs ?? Infinity, retryAt ? retryAt.getTime() - now.getTime() : Infinity);
      if (nextMs > this.toleranceMs()) break;
      await this.#leader.advance(Math.max(0, Math.ceil(nextMs)) + PAST_MS);
    }
  }

  /** Moves from one due time to the next, so that each piece of work runs at its own time on the leader too. */
  async advance(ms: number): Promise<void> {
    const endMs = (await this.#leader.now()).getTime() + ms;
    for (let jumps = 0; jumps < MOST_JUMPS; jumps += 1) {
      const nextMs = await this.#leader.quiesce();
      const leftMs = endMs - (await this.#leader.now()).getTime();
      if (leftMs <= 0) break;
      await this.#leader.advance(nextMs === null ? leftMs : Math.min(leftMs, Math.ceil(nextMs) + PAST_MS));
    }
    await this.settle();
  }
}
