import { setTimeout as delay } from "node:timers/promises";
import { Comparison, type Difference } from "./compare.ts";
import type { Step } from "./generate/steps.ts";
import { Actor } from "./perform/actor.ts";
import type { Observation } from "./perform/calls.ts";
import { perform, performAfter } from "./perform/perform.ts";
import type { Follower, Leader } from "./perform/side.ts";

export interface Outcome {
  /** Steps that were made, with what each side showed at the last. */
  readonly made: number;
  /** Steps of `made` that had nothing to do: what they refer to was never made. */
  readonly skipped: number;
  readonly difference: StepDifference | null;
}

export interface StepDifference {
  readonly step: Step;
  readonly differences: readonly Difference[];
  readonly leader: Observation;
  readonly follower: Observation;
}

/** A step that could not be made on one side: the harness is at fault, or that side is broken, but no answer differs. */
export class StepError extends Error {
  readonly step: Step | null;

  constructor(side: string, step: Step | null, cause: unknown) {
    super(
      `${step === null ? "the beginning" : `step ${step.n} (${step.do})`} failed on the ${side}: ${String(cause)}`,
      { cause },
    );
    this.name = "StepError";
    this.step = step;
  }
}

/** Due work starts slightly later: times are rounded to milliseconds. */
const PAST_MS = 5;
/** For the follower's work, which takes simulated time. */
const TOLERANCE_MS = 5_000;
/** A limit on the work after a jump, to detect work that re-creates itself. */
const MOST_JUMPS = 2_000;

export interface Pair {
  readonly leader: Leader;
  /** A separate follower per sequence, at the leader's time. */
  openFollower(now: Date): Promise<Follower>;
  /** Sees what the leader showed at each step; what it returns counts as a difference. */
  readonly watch?: (beganAt: Date) => Promise<Watch>;
}

export type Watch = (index: number, ofLeader: Observation, toleranceMs: number) => readonly Difference[];

/** Makes a sequence's steps on both sides, to the first that differs. */
export async function runSequence({ leader, openFollower, watch }: Pair, steps: readonly Step[]): Promise<Outcome> {
  await leader.begin();
  const beganAt = await leader.now();
  const watched = await watch?.(beganAt);
  const follower = await openFollower(beganAt);
  const actors = [new Actor(leader, beganAt), new Actor(follower, beganAt)] as const;
  const drive = new Drive(leader, follower);
  const comparison = new Comparison({
    beganAt,
    addresses: [leader.addresses, follower.addresses],
  });
  for (const actor of actors) {
    await actor.begin().catch((error: unknown) => {
      throw new StepError(actor.side.name, null, error);
    });
  }
  let made = 0;
  let skipped = 0;
  for (const step of steps) {
    if (step.do === "advance") await drive.advance(step.ms);
    else if (step.do === "advanceTo") await advanceTo(drive, actors[0], step);
    const now = await drive.together();
    const both = (act: (actor: Actor) => Promise<Observation>) =>
      Promise.all(
        actors.map((actor) =>
          act(actor).catch((error: unknown) => {
            throw new StepError(actor.side.name, step, error);
          }),
        ),
      );
    const atOnce = await both((actor) => perform(actor, step, now));
    made += 1;
    await drive.settle();
    const afterwards = await both((actor) => performAfter(actor, step));
    const [ofLeader, ofFollower] = [0, 1].map((side) => ({ atOnce: atOnce[side], afterwards: afterwards[side] }));
    if (atOnce[0] === null) skipped += 1;
    const toleranceMs = drive.toleranceMs();
    const differences = [
      ...comparison.compare(ofLeader, ofFollower, toleranceMs),
      ...(watched?.(made - 1, ofLeader, toleranceMs) ?? []),
    ];
    if (differences.length > 0)
      return { made, skipped, difference: { step, differences, leader: ofLeader, follower: ofFollower } };
  }
  await follower.close();
  return { made, skipped, difference: null };
}

async function advanceTo(drive: Drive, actor: Actor, step: Extract<Step, { do: "advanceTo" }>): Promise<void> {
  const session = actor.sessions.get(step.session);
  if (session === undefined) return;
  const ms = Date.parse(session[step.deadline]) + step.offsetMs - (await actor.side.now()).getTime();
  if (ms > 0) await drive.advance(ms);
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
